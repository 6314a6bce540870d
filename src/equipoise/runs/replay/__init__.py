"""A recorded run of any kind as a page: the robot, what balances it, its signals."""
