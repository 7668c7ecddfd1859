"""A sample for the isola competition: goes where it is free, and steals beside its opponent."""

from IsolaGame import GameState, IPlayer, Position


class SampleAI(IPlayer):
    def getNextMove(self, state: GameState) -> Position:
        here = state.getMyPosition()
        return max(self.neighbours(state, here), key=lambda to: len(self.neighbours(state, to)))

    def getNextSteal(self, state: GameState) -> Position:
        near = self.neighbours(state, state.getOpponentPosition())
        if near:
            return max(near, key=lambda square: len(self.neighbours(state, square)))
        for row in range(state.getRows()):
            for column in range(state.getColumns()):
                square = Position(row, column)
                if state.isValidSteal(square):
                    return square
        raise RuntimeError("there is nothing left to steal")

    def neighbours(self, state: GameState, center: Position) -> list[Position]:
        steps = (state.Up, state.UpRight, state.Right, state.DownRight)
        steps += (state.Down, state.DownLeft, state.Left, state.UpLeft)
        found = [step(center) for step in steps]
        return [to for to in found if to is not None and state.isMoveable(to)]
