"""Work on many machines, with the workers of dask.distributed.

- :func:`analyse_many`: a batch of positions;
- :func:`match` and :func:`regress`: the games of a match or a sequential test;
- :func:`selfplay`: games for a network;
- :func:`solve`: the value of one hard position.

It requires the extra ``dask``, and Secateurs in the same version here and on the workers. A worker of another version
is refused by name. Results are those of one machine, whichever workers find them: a job whose worker is lost, or is
much slower than all others, is repeated by another one, and counts once.

>>> import distributed
>>> from secateurs import dask
>>> with distributed.Client(processes=False, dashboard_address=":0") as client:
...     batch = dask.analyse_many(["3,4,5 1", "1,1 1"], depth=9, game="nim", client=client)
>>> batch["best_move"]
['1-2', '1-1']
"""

from secateurs._extras import needed

with needed("secateurs.dask", "dask"):
    import distributed as _distributed  # noqa: F401

from secateurs.dask._batch import analyse_many
from secateurs.dask._match import match, speed
from secateurs.dask._regress import regress
from secateurs.dask._selfplay import selfplay
from secateurs.dask._solve import solve

__all__ = ["analyse_many", "match", "regress", "selfplay", "solve", "speed"]
