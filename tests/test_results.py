def test_results_cannot_be_changed() -> None:
    position = secateurs.Position("nim", heaps=[1, 2])
    engine = secateurs.Engine(hash=1)
    for result, name in (engine.play(position, depth=1), "move"), (engine.solve(position), "other"):
        with pytest.raises(FrozenInstanceError, match=name):
            setattr(result, name, 1)
        with pytest.raises(FrozenInstanceError, match="nodes"):
            del result.nodes
