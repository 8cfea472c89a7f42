import { setTimeout } from 'node:timers/promises'
import { createSkills, type Catalog, type Diagnostic, type Skills } from '@skills/core'
import { Check } from '../contract/check.js'
import { fakeClock, type FakeClock } from '../fake-clock.js'
import { fakeHost } from '../fake-host.js'
import { neighbour } from '../contract/neighbour.js'
import type { ContractRule } from '../contract/contract-rule.js'
import type {
  Delay,
  MakeRemote,
  Remote,
  RemoteFixture,
  RemoteLack,
  RemoteSourceContractOptions,
} from './remote-fixture.js'

export type RemoteRule = ContractRule<RemoteTrial, RemoteLack>

/** Engine with the source under test and a neighbour. */
export interface Connected {
  readonly remote: Remote
  readonly skills: Skills
  readonly clock: FakeClock
  /** Diagnostics so far. */
  readonly told: readonly Diagnostic[]
  readonly fixture: RemoteFixture
}

/** Longest step of the clock, in milliseconds of real time. */
const longestTurn = 5

/** One check of one rule about sources of servers. Time passes for the source only while the check waits. */
export class RemoteTrial extends Check<MakeRemote, RemoteSourceContractOptions> {
  async connected(): Promise<Connected> {
    const fixture = await this.made(async () => this.make())
    const { provider, remote, host, plugins = [], kinds } = fixture
    const clock = fakeClock()
    const told: Diagnostic[] = []
    const skills = createSkills({
      plugins: [provider, neighbour, ...plugins],
      ...(kinds !== undefined && { kinds }),
      host: fakeHost({ ...host, clock }),
      onDiagnostic: diagnostic => told.push(diagnostic),
    })
    this.atEnd(() => this.passing('close()', clock, skills.close()))
    return { fixture, remote, skills, clock, told }
  }

  /** Holds back the answers of the server until they are released, at the latest when the case ends. */
  async delayed({ remote }: Connected): Promise<Delay> {
    const delay = await this.unchecked('delay() failed', async () => remote.delay())
    this.atEnd(() => delay.release())
    return delay
  }

  /** Waits for some work while time passes for the source. */
  async passing<T>(what: string, clock: FakeClock, work: Promise<T>): Promise<T> {
    let isOver = false
    const end = (): void => {
      isOver = true
    }
    work.then(end, end)
    const outcome = this.within(what, work)
    outcome.catch(end)
    for (let before = performance.now(); !isOver;) {
      // Lets answers from outside the process arrive.
      await setTimeout(1)
      const now = performance.now()
      // While the process was blocked, as by loading a library, no other work could proceed.
      await clock.advance(Math.min(now - before, longestTurn) * (this.options.pace ?? 4))
      before = now
    }
    return outcome
  }

  /**
   * Returns the catalog. The rule is broken if it waits longer than `graceMs` or loses the commands of the neighbour.
   * @param graceMs milliseconds that it may wait for the server
   */
  async catalog(
    { skills, clock, fixture }: Connected,
    when: string,
    graceMs = this.options.graceMs ?? 2000,
  ): Promise<Catalog> {
    const start = clock.now()
    const catalog = await this.passing(`catalog(), ${when},`, clock, skills.catalog())
    if (catalog.get('neighbour') === undefined) this.broken(`${when}, what comes from elsewhere is not listed.`)
    if (catalog.errors.some(({ code, provider }) => code === 'provider-timeout' && provider === fixture.provider.id))
      this.broken(`${when}, the list waited until the source was given up.`)
    if (clock.now() - start > graceMs)
      this.broken(
        `${when}, the list waited ${Math.round(clock.now() - start)} ms for the server. List what is known, and say with invalidate() that more has come.`,
      )
    return catalog
  }

  /** Waits until the catalog has exactly these skills of the server, without asking the source to refresh. */
  async arrive(connected: Connected, names: readonly string[], when: string): Promise<Catalog> {
    const expected = [...names.map(name => this.nameOf(name)), 'neighbour'].toSorted()
    // A server that answers may take as long as it needs.
    let catalog = await this.catalog(connected, when, Infinity)
    const found = (): string =>
      catalog.entries
        .map(({ name }) => name)
        .toSorted()
        .join(', ')
    await this.eventually(
      connected,
      () => `${when}, ${expected.join(', ')} are there by themselves, where there is ${found()}`,
      async () => {
        catalog = await this.catalog(connected, when, Infinity)
        return found() === expected.join(', ')
      },
    )
    return catalog
  }

  /** Waits until a diagnostic about the source's server is reported. */
  async expectTold(connected: Connected, when: string): Promise<void> {
    const { told, clock, skills, fixture } = connected
    const { id } = fixture.provider
    await this.eventually(
      connected,
      `${when}, it is told of: an error or a warning, of the catalog or reported, has the provider "${id}"`,
      async () => {
        const { errors, warnings } = await this.passing('catalog()', clock, skills.catalog())
        return [...errors, ...warnings, ...told].some(({ provider }) => provider === id)
      },
    )
  }

  /** Waits until a condition is true while time passes for the source. */
  async eventually({ clock }: Connected, what: string | (() => string), isSo: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + this.patienceMs; !(await isSo());) {
      if (performance.now() > end)
        this.broken(`this did not come true within ${this.patienceMs} ms: ${typeof what === 'string' ? what : what()}.`)
      await this.passing('time', clock, setTimeout(1))
    }
  }
}
