// Comments, line breaks, semicolons left out: not to be formatted.
const cases = {};

// prettier-ignore
cases.asiCallee = { args: () => [], make(W) { return async () => { "perhaps async"
   let f = () => 5, n = 0
   const s = () => {
     W(1)
     f()
     W(2)
     f``
     n
     ++n
   }
   s()
   await W(1)
   f = function () { return W(String(this === undefined || this === globalThis)) }
   await W(2)
   s()
   return f() } } };

// prettier-ignore
cases.asiClass = { args: () => [], make(W) { class A { x = 1
   async m() { "perhaps async"; return await W(1); }
   static y
   async *g() { yield 1; }
   async
   z() { return 5; }
   get
   async() { return 6; }
   static async n() { "perhaps async"; return await W(2); }
   static
   async o() { "perhaps async"; return await W(3); }
   'use'
   async [ "p" ]() { "perhaps async"; return await W(4); } }; return async () => { const a = new A(); return [await a.m(), a.z(), await A.n(), await A.o(), await a.p()]; } } };

// prettier-ignore
cases.comments = { args: () => [], make(W) { return async /* a */ function /* b */ f /* c */ ( /* d */ ) /* e */ { /* f */ "perhaps async" /* g */; // h
   await /* i */ W(1) // j
   return ( // k
     await W(2) // l
   ) // m
 } } };

// prettier-ignore
cases.arrowComment = { args: () => [], make(W) { return async ( a // async
 ) => { "perhaps async"; return await W(1) /* x */ } } };

// prettier-ignore
cases.asi = { args: () => [], make(W) { return async () => { "perhaps async"
   let a = await W(1)
   const b = 2
   ;[a] = [await W(3)]
   a
   ++a
   await W(a)
   return a + b
 } } };

module.exports = cases;
