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

// prettier-ignore
cases.noSpaces = { args: () => [], make(W) { class Box { constructor(...all) { this.all = all } }
   const id = (x) => x, list = { k: [1, 2] }
   return async () => { "perhaps async"
   const made = new(id(Box))(await W(1)), kinds = [typeof[W(2)][await W(0)], typeof(W(3), await W(4)), void[W(5)][await W(0)]]
   const gone = [delete[W(6)][await W(0)], delete(await W(list)).k]
   const found = [(W(7))in[await W(8)], (W(9))in{ 9: await W(10) }, [W(11)]instanceof(await W(Array)), `${W(0)}`in[await W(12)], (await W("k"))in(await W(list))]
   for(const[first]of[[await W(13)]])W(first)
   if(await W(true))var{ k: late = await W(14) } = await W({}); else[late] = [await W(15)]
   switch(W(16)){ case(16): late += await W(17) }
   do(W(late)); while(await W(false))
   return[made, kinds, gone, found, late] } } };

// prettier-ignore
cases.noSpacesInReturns = { args: () => [], make(W) { return async () => { "perhaps async"
   const get = (f) => f
   const all = [
     async (x) => { "perhaps async"; try { return(x || get)(W(1)) } catch (e) { return"caught " + e.message } },
     async (x) => { "perhaps async"; for (const y of [W(2)]) return(x, y) },
     async (x) => { "perhaps async"; try { return[x, W(3)].at(0) } finally { W(4) } },
     async (x) => { "perhaps async"; for (const y of [W(5)]) { if (y) return`a${x}`.at(0); else return"b".at(0) } },
     async (x) => { "perhaps async"; try { return{}, x } catch (e) { return 9 } },
     async (x) => { "perhaps async"; try { if (x) throw(x, await W(6)) } catch (e) { return[await W(7), e] } },
     async (x) => { "perhaps async"; try { return/x/.exec(x) } finally { await W(8) } },
   ]
   const out = []
   for (const f of all) out.push(await f(await W(0)), await f(await W((x) => x)))
   return out.map(String) } } };

module.exports = cases;
