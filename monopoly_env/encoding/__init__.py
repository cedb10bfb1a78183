"""What a learner sees and is paid: named observation blocks and rewards."""
