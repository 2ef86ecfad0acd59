package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
)

const (
	slots = 16
	sides = 4 // producers, and as many consumers
)

type buffer interface {
	put(item uint64)
	take() uint64
}

// A mutex and two condition variables.
type locked struct {
	items             [slots]uint64
	begin, count      uint
	lock              sync.Mutex
	hasRoom, hasItems *sync.Cond
}

func newLocked() *locked {
	b := new(locked)
	b.hasRoom, b.hasItems = sync.NewCond(&b.lock), sync.NewCond(&b.lock)
	return b
}

func (b *locked) put(item uint64) {
	b.lock.Lock()
	for b.count == slots {
		b.hasRoom.Wait()
	}
	b.items[(b.begin+b.count)%slots] = item
	b.count++
	b.lock.Unlock()
	b.hasItems.Signal()
}

func (b *locked) take() uint64 {
	b.lock.Lock()
	for b.count == 0 {
		b.hasItems.Wait()
	}
	item := b.items[b.begin]
	b.begin = (b.begin + 1) % slots
	b.count--
	b.lock.Unlock()
	b.hasRoom.Signal()
	return item
}

// What Go has for that.
type channel chan uint64

func (c channel) put(item uint64) { c <- item }
func (c channel) take() uint64    { return <-c }

func processor() int64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return used.Utime.Nano() + used.Stime.Nano()
}

func measure[B buffer](name string, b B, share int) bool {
	var all sync.WaitGroup
	var sums [sides]uint64
	begun := processor()
	for i := range sides {
		all.Add(2)
		go func() {
			defer all.Done()
			for n := range share {
				b.put(uint64(i*share + n))
			}
		}()
		go func() {
			defer all.Done()
			var own uint64
			for range share {
				item := b.take()
				own += item * item
			}
			sums[i] = own
		}()
	}
	all.Wait()
	took := processor() - begun
	sum, expected, wrong := sums[0]+sums[1]+sums[2]+sums[3], uint64(0), ""
	for item := range uint64(share * sides) {
		expected += item * item
	}
	if sum != expected {
		wrong = ", which is wrong"
	}
	fmt.Printf("%s %.1f ns, checksum %x%s\n", name, float64(took)/float64(share*sides), sum, wrong)
	return sum == expected
}

func main() {
	count := 4000000
	if len(os.Args) > 1 {
		if number, err := strconv.Atoi(os.Args[1]); err == nil {
			count = number
		}
	}
	isRight := measure("item", newLocked(), count/sides)
	isRight = measure("channel", make(channel, slots), count/sides) && isRight
	if !isRight {
		os.Exit(1)
	}
}
