// A sample for the isola competition: goes where it is free, and steals beside its opponent.
class SampleAI extends IPlayer {
  getNextMove(state) {
    const room = (to) => this.neighbours(state, to).length;
    return this.neighbours(state, state.getMyPosition()).reduce((best, to) => (room(to) > room(best) ? to : best));
  }

  getNextSteal(state) {
    const near = this.neighbours(state, state.getOpponentPosition());
    if (near.length) return near[0];
    for (let row = 0; row < state.getRows(); row++) {
      for (let column = 0; column < state.getColumns(); column++) {
        const square = new Position(row, column);
        if (state.isValidSteal(square)) return square;
      }
    }
    throw new Error("there is nothing left to steal");
  }

  neighbours(state, center) {
    const steps = ["Up", "UpRight", "Right", "DownRight", "Down", "DownLeft", "Left", "UpLeft"];
    return steps.map((step) => state[step](center)).filter((to) => to && state.isMoveable(to));
  }
}
