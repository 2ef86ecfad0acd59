package main

import (
	"fmt"
	"time"
)

//go:noinline
func tree(depth int, x int64) int64 {
	if depth == 0 {
		return x + 1
	}
	left := tree(depth-1, x)
	return tree(depth-1, left)
}
func main() {
	b := time.Now()
	s := tree(26, 0)
	fmt.Printf("%.3f ns a call (%d)\n", float64(time.Since(b).Nanoseconds())/float64((int64(2)<<26)-1), s)
}
