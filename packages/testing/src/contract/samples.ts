import type { SampleSkill } from './fixture.js'

/** Makes a skill that differs from others by its name only. Its body has characters of two bytes. */
export function sample(name: string, changes: Partial<SampleSkill> = {}): SampleSkill {
  return {
    name,
    description: `Says what ${name} is for.`,
    body: `Do what ${name} says.\n\nThen écoute, and stop.`,
    ...changes,
  }
}

/** Makes a sample with a body of this many bytes. */
export function largeSample(name: string, bytes: number): SampleSkill {
  const line = `This line of ${name} is one of very many.\n`
  return sample(name, {
    body: line
      .repeat(Math.ceil(bytes / line.length))
      .slice(0, bytes - 1)
      .trimEnd(),
  })
}

/** Makes `count` skills in an order that is neither ascending nor descending by name. */
export function manySamples(count: number): readonly SampleSkill[] {
  // 7919 is prime, so that every number below the count comes once.
  return Array.from({ length: count }, (_, at) => sample(`skill-${String((at * 7919) % count).padStart(5, '0')}`))
}
