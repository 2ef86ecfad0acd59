// Balls fly about in a box and are counted each time that they meet a wall.
class Random {
  constructor() {
    this.seed = 40961;
  }

  draw() {
    this.seed = (this.seed * 25173 + 13849) & 0xffff;
    return this.seed;
  }
}

class Ball {
  constructor(random) {
    this.x = random.draw() % 400;
    this.y = random.draw() % 400;
    this.dx = (random.draw() % 240) - 120;
    this.dy = (random.draw() % 240) - 120;
  }

  step() {
    let met = false;
    this.x += this.dx;
    this.y += this.dy;
    if (this.x > 400) {
      this.x = 400;
      this.dx = -Math.abs(this.dx);
      met = true;
    }
    if (this.x < 0) {
      this.x = 0;
      this.dx = Math.abs(this.dx);
      met = true;
    }
    if (this.y > 400) {
      this.y = 400;
      this.dy = -Math.abs(this.dy);
      met = true;
    }
    if (this.y < 0) {
      this.y = 0;
      this.dy = Math.abs(this.dy);
      met = true;
    }
    return met;
  }
}

export function run(size) {
  const random = new Random();
  const balls = new Array(size.balls);
  for (let i = 0; i < size.balls; i += 1) {
    balls[i] = new Ball(random);
  }
  let count = 0;
  for (let step = 0; step < size.steps; step += 1) {
    for (let i = 0; i < size.balls; i += 1) {
      if (balls[i].step()) {
        count += 1;
      }
    }
  }
  return count;
}
