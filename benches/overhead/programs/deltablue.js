// DeltaBlue (Freeman-Benson and Maloney): an incremental solver for one-way constraints with strengths.
// A smaller number is a stronger strength.
const REQUIRED = 0;
const PREFERRED = 2;
const STRONG_DEFAULT = 3;
const NORMAL = 4;
const WEAKEST = 6;

/** A growing sequence. */
class Bag {
  constructor() {
    this.items = [];
    this.count = 0;
  }

  insert(item) {
    this.items[this.count] = item;
    this.count += 1;
  }

  removeLast() {
    this.count -= 1;
    const item = this.items[this.count];
    this.items[this.count] = null;
    return item;
  }

  discard(item) {
    let kept = 0;
    for (let i = 0; i < this.count; i += 1) {
      if (this.items[i] !== item) {
        this.items[kept] = this.items[i];
        kept += 1;
      }
    }
    this.count = kept;
  }

  each(action) {
    for (let i = 0; i < this.count; i += 1) {
      action(this.items[i]);
    }
  }
}

class Variable {
  constructor(value) {
    this.value = value;
    this.constraints = new Bag();
    this.determinedBy = null;
    this.mark = 0;
    this.walkStrength = WEAKEST;
    this.stay = true;
  }

  attach(constraint) {
    this.constraints.insert(constraint);
  }

  detach(constraint) {
    this.constraints.discard(constraint);
    if (this.determinedBy === constraint) {
      this.determinedBy = null;
    }
  }
}

class Constraint {
  constructor(strength) {
    this.strength = strength;
  }

  isInput() {
    return false;
  }

  post(planner) {
    this.attachAll();
    planner.incrementalAdd(this);
    return this;
  }

  retract(planner) {
    if (this.isSatisfied()) {
      planner.incrementalRemove(this);
    } else {
      this.detachAll();
    }
  }

  /** Tries to enforce the constraint; the one that it overrode, or null. */
  satisfy(mark, planner) {
    this.chooseMethod(mark);
    if (!this.isSatisfied()) {
      if (this.strength === REQUIRED) {
        throw new Error("a required constraint cannot be satisfied");
      }
      return null;
    }
    this.markInputs(mark);
    const out = this.output();
    const overridden = out.determinedBy;
    if (overridden !== null) {
      overridden.markUnsatisfied();
    }
    out.determinedBy = this;
    if (!planner.propagate(this, mark)) {
      throw new Error("the constraints form a cycle");
    }
    out.mark = mark;
    return overridden;
  }
}

class UnaryConstraint extends Constraint {
  constructor(variable, strength) {
    super(strength);
    this.variable = variable;
    this.satisfied = false;
  }

  attachAll() {
    this.variable.attach(this);
    this.satisfied = false;
  }

  detachAll() {
    this.variable.detach(this);
    this.satisfied = false;
  }

  chooseMethod(mark) {
    this.satisfied = this.variable.mark !== mark && this.strength < this.variable.walkStrength;
  }

  isSatisfied() {
    return this.satisfied;
  }

  markUnsatisfied() {
    this.satisfied = false;
  }

  markInputs() {}

  inputsKnown() {
    return true;
  }

  output() {
    return this.variable;
  }

  recalculate() {
    this.variable.walkStrength = this.strength;
    this.variable.stay = !this.isInput();
    if (this.variable.stay) {
      this.execute();
    }
  }

  execute() {}
}

class StayConstraint extends UnaryConstraint {}

class EditConstraint extends UnaryConstraint {
  isInput() {
    return true;
  }
}

const NONE = 0;
const FORWARD = 1;
const BACKWARD = 2;

class BinaryConstraint extends Constraint {
  constructor(first, second, strength) {
    super(strength);
    this.first = first;
    this.second = second;
    this.direction = NONE;
  }

  attachAll() {
    this.first.attach(this);
    this.second.attach(this);
    this.direction = NONE;
  }

  detachAll() {
    this.first.detach(this);
    this.second.detach(this);
    this.direction = NONE;
  }

  mayDetermine(variable) {
    return this.strength < variable.walkStrength;
  }

  chooseMethod(mark) {
    if (this.first.mark === mark) {
      const may = this.second.mark !== mark && this.mayDetermine(this.second);
      this.direction = may ? FORWARD : NONE;
    } else if (this.second.mark === mark) {
      this.direction = this.mayDetermine(this.first) ? BACKWARD : NONE;
    } else if (this.first.walkStrength > this.second.walkStrength) {
      this.direction = this.mayDetermine(this.first) ? BACKWARD : NONE;
    } else {
      this.direction = this.mayDetermine(this.second) ? FORWARD : BACKWARD;
    }
  }

  isSatisfied() {
    return this.direction !== NONE;
  }

  markUnsatisfied() {
    this.direction = NONE;
  }

  input() {
    return this.direction === FORWARD ? this.first : this.second;
  }

  output() {
    return this.direction === FORWARD ? this.second : this.first;
  }

  markInputs(mark) {
    const variable = this.input();
    variable.mark = mark;
  }

  inputsKnown(mark) {
    const variable = this.input();
    return variable.mark === mark || variable.stay || variable.determinedBy === null;
  }

  recalculate() {
    const from = this.input();
    const to = this.output();
    to.walkStrength = this.strength > from.walkStrength ? this.strength : from.walkStrength;
    to.stay = from.stay;
    if (to.stay) {
      this.execute();
    }
  }
}

class EqualityConstraint extends BinaryConstraint {
  execute() {
    const from = this.input();
    const to = this.output();
    to.value = from.value;
  }
}

/** second = first * factor + offset. */
class ScaleConstraint extends BinaryConstraint {
  constructor(first, factor, offset, second, strength) {
    super(first, second, strength);
    this.factor = factor;
    this.offset = offset;
  }

  attachAll() {
    super.attachAll();
    this.factor.attach(this);
    this.offset.attach(this);
  }

  detachAll() {
    super.detachAll();
    this.factor.detach(this);
    this.offset.detach(this);
  }

  markInputs(mark) {
    super.markInputs(mark);
    this.factor.mark = mark;
    this.offset.mark = mark;
  }

  execute() {
    if (this.direction === FORWARD) {
      this.second.value = this.first.value * this.factor.value + this.offset.value;
    } else {
      this.first.value = (this.second.value - this.offset.value) / this.factor.value;
    }
  }

  recalculate() {
    const from = this.input();
    const to = this.output();
    to.walkStrength = this.strength > from.walkStrength ? this.strength : from.walkStrength;
    to.stay = from.stay && this.factor.stay && this.offset.stay;
    if (to.stay) {
      this.execute();
    }
  }
}

class Planner {
  constructor() {
    this.marks = 0;
  }

  newMark() {
    this.marks += 1;
    return this.marks;
  }

  incrementalAdd(constraint) {
    const mark = this.newMark();
    let overridden = constraint.satisfy(mark, this);
    while (overridden !== null) {
      overridden = overridden.satisfy(mark, this);
    }
  }

  incrementalRemove(constraint) {
    const out = constraint.output();
    constraint.markUnsatisfied();
    constraint.detachAll();
    const unsatisfied = this.withdraw(out);
    for (let strength = REQUIRED; strength <= WEAKEST; strength += 1) {
      unsatisfied.each((other) => {
        if (other.strength === strength) {
          this.incrementalAdd(other);
        }
      });
    }
  }

  /** Everything downstream of a variable that lost its constraint; the constraints left unsatisfied. */
  withdraw(out) {
    out.determinedBy = null;
    out.walkStrength = WEAKEST;
    out.stay = true;
    const unsatisfied = new Bag();
    const todo = new Bag();
    todo.insert(out);
    while (todo.count > 0) {
      const variable = todo.removeLast();
      variable.constraints.each((constraint) => {
        if (!constraint.isSatisfied()) {
          unsatisfied.insert(constraint);
        }
      });
      const determining = variable.determinedBy;
      variable.constraints.each((constraint) => {
        if (constraint !== determining && constraint.isSatisfied()) {
          constraint.recalculate();
          todo.insert(constraint.output());
        }
      });
    }
    return unsatisfied;
  }

  /** Hands strengths on from a new constraint; false when it meets itself. */
  propagate(constraint, mark) {
    const todo = new Bag();
    todo.insert(constraint);
    while (todo.count > 0) {
      const next = todo.removeLast();
      const out = next.output();
      if (out.mark === mark) {
        this.incrementalRemove(constraint);
        return false;
      }
      next.recalculate();
      this.consumers(out, todo);
    }
    return true;
  }

  consumers(variable, into) {
    const determining = variable.determinedBy;
    variable.constraints.each((constraint) => {
      if (constraint !== determining && constraint.isSatisfied()) {
        into.insert(constraint);
      }
    });
  }

  /** The constraints to execute, in order, when the inputs change. */
  plan(inputs) {
    const mark = this.newMark();
    const plan = new Bag();
    const todo = new Bag();
    inputs.each((constraint) => {
      if (constraint.isInput() && constraint.isSatisfied()) {
        todo.insert(constraint);
      }
    });
    while (todo.count > 0) {
      const constraint = todo.removeLast();
      const out = constraint.output();
      if (out.mark !== mark && constraint.inputsKnown(mark)) {
        plan.insert(constraint);
        out.mark = mark;
        this.consumers(out, todo);
      }
    }
    return plan;
  }
}

function execute(plan) {
  plan.each((constraint) => {
    constraint.execute();
  });
}

function change(planner, variable, value) {
  const edit = new EditConstraint(variable, PREFERRED);
  edit.post(planner);
  const inputs = new Bag();
  inputs.insert(edit);
  const plan = planner.plan(inputs);
  for (let i = 0; i < 10; i += 1) {
    variable.value = value;
    execute(plan);
  }
  edit.retract(planner);
}

/** A value travels through a chain of equalities; the sum of what arrives at its end. */
function chain(length) {
  const planner = new Planner();
  const first = new Variable(0);
  let last = first;
  for (let i = 0; i < length; i += 1) {
    const next = new Variable(0);
    const equality = new EqualityConstraint(last, next, REQUIRED);
    equality.post(planner);
    last = next;
  }
  const stay = new StayConstraint(last, STRONG_DEFAULT);
  stay.post(planner);
  const edit = new EditConstraint(first, PREFERRED);
  edit.post(planner);
  const inputs = new Bag();
  inputs.insert(edit);
  const plan = planner.plan(inputs);
  let sum = 0;
  for (let value = 1; value <= 100; value += 1) {
    first.value = value;
    execute(plan);
    sum += last.value;
  }
  edit.retract(planner);
  return sum;
}

/** Pairs of variables bound by one scale and offset, changed at either end; what the others become. */
function projection(pairs) {
  const planner = new Planner();
  const scale = new Variable(10);
  const offset = new Variable(1000);
  const targets = new Bag();
  let source = null;
  let target = null;
  for (let i = 0; i < pairs; i += 1) {
    source = new Variable(i);
    target = new Variable(i);
    targets.insert(target);
    const stay = new StayConstraint(source, NORMAL);
    stay.post(planner);
    const scaled = new ScaleConstraint(source, scale, offset, target, REQUIRED);
    scaled.post(planner);
  }
  change(planner, source, 17);
  const forward = target.value;
  change(planner, target, 1050);
  const backward = source.value;
  change(planner, scale, 5);
  let scaledSum = 0;
  targets.each((variable) => {
    scaledSum += variable.value;
  });
  change(planner, offset, 2000);
  let offsetSum = 0;
  targets.each((variable) => {
    offsetSum += variable.value;
  });
  return [forward, backward, scaledSum, offsetSum];
}

export function run(size) {
  return [chain(size), projection(size)];
}
