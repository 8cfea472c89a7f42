import { isDeepStrictEqual } from 'node:util'
import { aboutTools } from './event-sets.js'
import type { SkillHookEvent } from '@skills/invocation'
import type { ActiveHook, SessionOwner } from './active-hook.js'

/** Hooks that a skill declared at one time, and those that registered them. */
interface Version {
  readonly agentId: string | undefined
  readonly declared: unknown
  readonly hooks: readonly ActiveHook[]
  readonly holders: Set<object>
}

type Tool = string | undefined

const none: readonly ActiveHook[] = []
/** Most tools whose hooks are remembered, since a hostile server may invent names. */
const keptTools = 1_000

/** Active hooks, in the order of their registration. */
export class RegisteredHooks {
  /** Versions by skill and agent. If a skill was changed meanwhile, its last registered version counts. */
  readonly #versions = new Map<string, Version[]>()
  #byEvent = new Map<SkillHookEvent, readonly ActiveHook[]>()
  readonly #byTool = new Map<SkillHookEvent, Map<Tool, readonly ActiveHook[]>>()

  /** @param make makes the hooks of an owner that has none of these yet */
  add(owner: SessionOwner, make: () => readonly ActiveHook[]): () => void {
    const key = keyOf(owner)
    const versions = this.#versions.get(key) ?? []
    const known = versions.find(({ declared }) => isDeepStrictEqual(declared, owner.command.hooks))
    const version = known ?? {
      agentId: owner.agentId,
      declared: owner.command.hooks,
      hooks: make(),
      holders: new Set(),
    }
    const holder = {}
    version.holders.add(holder)
    if (known !== undefined) {
      versions.splice(versions.indexOf(known), 1)
      for (const hook of known.hooks) hook.owner = owner
    }
    versions.push(version)
    this.#versions.set(key, versions)
    this.#sort()
    return () => {
      // A second call does nothing: it must not remove what another holder has registered.
      if (!version.holders.delete(holder) || version.holders.size > 0) return
      versions.splice(versions.indexOf(version), 1)
      finish(version)
      if (versions.length === 0 && this.#versions.get(key) === versions) this.#versions.delete(key)
      this.#sort()
    }
  }

  /**
   * Returns the hooks for an event and a tool, of every agent. At events that are not about tools, matchers are
   * ignored.
   */
  for(event: SkillHookEvent, toolName: Tool): readonly ActiveHook[] {
    const hooks = this.#byEvent.get(event)
    if (hooks === undefined) return none
    if (!aboutTools.has(event)) return hooks
    let byTool = this.#byTool.get(event)
    const known = byTool?.get(toolName)
    if (known !== undefined) return known
    const found = hooks.filter(({ tools }) => tools.matches(toolName))
    if (byTool === undefined || byTool.size >= keptTools) this.#byTool.set(event, (byTool = new Map()))
    byTool.set(toolName, found)
    return found
  }

  /** Removes the hooks of a fork. */
  forget(agentId: string): void {
    for (const [key, versions] of this.#versions) {
      const own = versions.filter(version => version.agentId === agentId)
      own.forEach(finish)
      if (own.length > 0) this.#versions.delete(key)
    }
    this.#sort()
  }

  /** Returns the owners of hooks in force; a skill with several versions once. */
  owners(): readonly SessionOwner[] {
    return [...this.#versions.values()].flatMap(versions => versions.at(-1)?.hooks[0]?.owner ?? [])
  }

  /** Returns the hooks that are over but still known. */
  done(): readonly ActiveHook[] {
    return [...this.#versions.values()].flatMap(versions =>
      versions.flatMap(({ hooks }) => hooks.filter(({ isDone }) => isDone)),
    )
  }

  /** Marks hooks as over. */
  finish(isOver: (hook: ActiveHook) => boolean): void {
    for (const versions of this.#versions.values()) {
      for (const { hooks } of versions) for (const hook of hooks) hook.isDone ||= isOver(hook)
    }
  }

  clear(): void {
    this.#versions.clear()
    this.#sort()
  }

  /** Sorts the hooks by event at registration, since tools are called far more often than skills are invoked. */
  #sort(): void {
    const byEvent = new Map<SkillHookEvent, ActiveHook[]>()
    for (const versions of this.#versions.values()) {
      for (const hook of versions.at(-1)?.hooks ?? []) {
        const hooks = byEvent.get(hook.event)
        if (hooks === undefined) byEvent.set(hook.event, [hook])
        else hooks.push(hook)
      }
    }
    this.#byEvent = byEvent
    this.#byTool.clear()
  }
}

function finish({ hooks }: Version): void {
  for (const hook of hooks) hook.isDone = true
}

function keyOf({ command: { source, name, filePath }, agentId }: SessionOwner): string {
  return JSON.stringify([source, name, filePath, agentId])
}
