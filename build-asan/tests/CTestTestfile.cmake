# CMake generated Testfile for 
# Source directory: /tmp/w/py/tests
# Build directory: /tmp/w/py/build-asan/tests
# 
# This file includes the relevant testing commands required for 
# testing this directory and lists subdirectories to be tested as well.
