shared |u age:0.3
|i cheap
0:-1:0.5 |i dear

shared |u age:0.1
|i cheap
0:-1:0 |i dear
