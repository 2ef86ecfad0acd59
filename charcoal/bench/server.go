package main

import (
	"net"
	"os"
)

var answer = []byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n\r\nHello, world\n")

func requestsIn(text []byte, state *int) int {
	const end = "\r\n\r\n"
	count := 0
	for _, c := range text {
		if c == end[*state] {
			*state++
		} else if c == '\r' {
			*state = 1
		} else {
			*state = 0
		}
		if *state == 4 {
			count++
			*state = 0
		}
	}
	return count
}

func serve(connection net.Conn) {
	defer connection.Close()
	state := 0
	text := make([]byte, 2048)
	for {
		size, err := connection.Read(text)
		if err != nil {
			return
		}
		for left := requestsIn(text[:size], &state); left > 0; left-- {
			if _, err := connection.Write(answer); err != nil {
				return
			}
		}
	}
}

func main() {
	listener, err := net.Listen("tcp", ":"+os.Args[1])
	if err != nil {
		panic(err)
	}
	for {
		connection, err := listener.Accept()
		if err == nil {
			go serve(connection)
		}
	}
}
