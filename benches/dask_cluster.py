"""Workers on this machine, for the measurements of `secateurs.dask`."""

from collections.abc import Iterator
from contextlib import contextmanager

import distributed
from secateurs import dask


@contextmanager
def local(workers: int, threads: int = 1) -> Iterator[distributed.Client]:
    """New workers, which have loaded the library and know their speed."""
    with (
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=threads, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(workers)
        client.run(dask.speed)
        yield client
