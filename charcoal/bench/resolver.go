package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const header = 12

func ask(number int) []byte {
	text := make([]byte, 0, 128)
	text = append(text, byte(number>>8), byte(number), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0)
	for name, more := "host"+strconv.Itoa(number)+".bench.test", true; more; {
		var label string
		label, name, more = strings.Cut(name, ".")
		text = append(text, byte(len(label)))
		text = append(text, label...)
	}
	return append(text, 0, 0, 1, 0, 1)
}

// The address that a name has in the benchmark.
func addressOf(question []byte) uint32 {
	hash := uint32(2166136261)
	for _, c := range question[header:] {
		hash = (hash ^ uint32(c)) * 16777619
	}
	return hash
}

// Where the name ends that begins at a place; 0 where it does not end.
func skip(text []byte, at int) int {
	for at < len(text) && text[at] != 0 && text[at] < 0xc0 {
		at += int(text[at]) + 1
	}
	if at < len(text) && text[at] >= 0xc0 {
		at++
	}
	if at++; at > len(text) {
		return 0
	}
	return at
}

// Whether a message answers a question, and with which address.
func answers(text, question []byte) (uint32, bool) {
	if len(text) < len(question) || !bytes.Equal(text[:2], question[:2]) || text[2]&0x80 == 0 || text[3]&15 != 0 {
		return 0, false
	}
	if binary.BigEndian.Uint16(text[6:]) == 0 || !bytes.Equal(text[header:len(question)], question[header:]) {
		return 0, false
	}
	at := skip(text, len(question))
	if at == 0 || at+14 > len(text) || binary.BigEndian.Uint16(text[at:]) != 1 || binary.BigEndian.Uint16(text[at+8:]) != 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(text[at+10:]), true
}

func resolve(server *net.UDPAddr, number int) (uint32, bool) {
	connection, err := net.DialUDP("udp4", nil, server)
	if err != nil {
		return 0, false
	}
	defer connection.Close()
	question := ask(number)
	if _, err := connection.Write(question); err != nil {
		return 0, false
	}
	var text [128]byte
	size, err := connection.Read(text[:])
	if err != nil {
		return 0, false
	}
	address, ok := answers(text[:size], question)
	return address, ok && address == addressOf(question)
}

func argument(at, otherwise int) int {
	if len(os.Args) > at {
		if number, err := strconv.Atoi(os.Args[at]); err == nil {
			return number
		}
	}
	return otherwise
}

func processor() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func peak() string {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	return strings.Fields(rest)[0]
}

func main() {
	server := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: argument(1, 5353)}
	count, atOnce := argument(2, 10000), argument(3, 1000)
	begun, begunOnProcessor := time.Now(), processor()
	limit := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	var lock sync.Mutex
	answered, sum := 0, uint64(0)
	for number := 0; number < count; number++ {
		limit <- struct{}{}
		all.Add(1)
		go func() {
			defer all.Done()
			if address, ok := resolve(server, number); ok {
				lock.Lock()
				answered++
				sum += uint64(address)
				lock.Unlock()
			}
			<-limit
		}()
	}
	all.Wait()
	fmt.Printf("elapsed %.1f ms\n", time.Since(begun).Seconds()*1e3)
	fmt.Printf("processor %.1f ms\n", (processor()-begunOnProcessor).Seconds()*1e3)
	fmt.Printf("memory %s kB\n", peak())
	fmt.Printf("answers %d of %d, checksum %x\n", answered, count, sum)
	if answered != count {
		os.Exit(1)
	}
}
