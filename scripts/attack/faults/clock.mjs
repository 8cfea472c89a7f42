// @ts-check
// Loaded before a program: its clock is ahead by ATTACK_AHEAD_MS milliseconds.
const ahead = Number(process.env['ATTACK_AHEAD_MS'] ?? 0)
const Real = Date

globalThis.Date = /** @type {DateConstructor} */ (
  new Proxy(Real, {
    construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [Real.now() + ahead] : given, as),
    get: (target, key) => (key === 'now' ? () => Real.now() + ahead : Reflect.get(target, key)),
  })
)
