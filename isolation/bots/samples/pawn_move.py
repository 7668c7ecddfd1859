"""A player for classic: the template, with its helper methods, and a simple choice."""

ROWS, COLUMNS = 8, 6
AROUND = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def is_valid_square(square):
    """Whether a square is on the board."""
    row, column = square
    return 0 <= row < ROWS and 0 <= column < COLUMNS


def is_empty_square(board, square):
    return is_valid_square(square) and board[square[0]][square[1]] is None


def available_moves(board, position):
    """The squares that a player there can move to."""
    squares = [[position[0] + row, position[1] + column] for row, column in AROUND]
    return [square for square in squares if is_empty_square(board, square)]


def empty_squares(board):
    every = [[row, column] for row in range(ROWS) for column in range(COLUMNS)]
    return [square for square in every if is_empty_square(board, square)]


def move(data, player_number):
    """The square to block and the square to move to: [[row, column], [row, column]]."""
    board, mine, other = data["board"], data["my_position"], data["opponent_position"]
    to = max(available_moves(board, mine), key=lambda square: len(available_moves(board, square)))
    board[mine[0]][mine[1]] = None
    board[to[0]][to[1]] = player_number
    blocks = available_moves(board, other) or empty_squares(board)
    return [blocks[0], to]
