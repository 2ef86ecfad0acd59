import { createServer } from "node:http";

const PATH = /^\/seats\/(\w+)$/;

/** `PUT /seats/A1?guest=ann` books a seat: 201 where it was free, 409 where it was not. `sell` is what books. */
export function serverOf(seats, sell) {
  return createServer((request, response) => {
    answer(seats, sell, request).then(
      (status) => response.writeHead(status).end(),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
}

async function answer(seats, sell, { method, url }) {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const [, seat] = PATH.exec(pathname) ?? [];
  const guest = searchParams.get("guest");
  if (seat === undefined || guest === null || method !== "PUT") return 400;
  return (await sell(seats, seat, guest)) ? 201 : 409;
}
