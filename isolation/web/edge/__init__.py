"""What stands between the network and the app: nobody gets more than their share of the server."""
