"""The web app: the only part that knows Flask. Nothing is loaded here: the supervisor is light."""
