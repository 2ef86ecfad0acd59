package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

func rss() int64 {
	b, _ := os.ReadFile("/proc/self/statm")
	f := strings.Fields(string(b))
	n, _ := strconv.ParseInt(f[1], 10, 64)
	return n * 4096
}
func main() {
	runtime.GOMAXPROCS(1)
	n := 1000000
	c := make(chan int)
	b := time.Now()
	for i := 0; i < n; i++ {
		go func() { c <- 1 }()
		<-c
	}
	fmt.Printf("spawn %.1f ns\n", float64(time.Since(b).Nanoseconds())/float64(n))
	b = time.Now()
	d := make(chan bool)
	for k := 0; k < 2; k++ {
		go func() {
			for i := 0; i < n; i++ {
				runtime.Gosched()
			}
			d <- true
		}()
	}
	<-d
	<-d
	fmt.Printf("switch %.1f ns\n", float64(time.Since(b).Nanoseconds())/float64(2*n))
	before := rss()
	w := make(chan int)
	for i := 0; i < n; i++ {
		go func() { <-w }()
	}
	runtime.Gosched()
	time.Sleep(200 * time.Millisecond)
	fmt.Printf("idle %.1f bytes\n", float64(rss()-before)/float64(n))
}
