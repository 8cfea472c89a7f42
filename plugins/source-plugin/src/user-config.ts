import { closestNames, type Diagnostic } from '@skills/core'
import type { ManifestSetting } from './manifest.js'
import type { PluginConfig } from './plugin-options.js'

/**
 * Settings that the user of a plugin made. Sensitive values are in private fields, so that printing and comparing
 * cannot reach them. They are passed only to processes.
 */
export class UserConfig {
  readonly problems: readonly Diagnostic[]
  readonly #settings: ReadonlyMap<string, ManifestSetting>
  readonly #values: ReadonlyMap<string, string>

  /** @param file path of the manifest, for diagnostics */
  constructor(
    settings: ReadonlyMap<string, ManifestSetting>,
    given: PluginConfig,
    plugin: string,
    file: string | undefined,
  ) {
    const problems: Diagnostic[] = []
    const values = new Map<string, string>()
    const add = (severity: 'error' | 'warning', code: string, key: string, message: string, hint: string): unknown =>
      problems.push({
        severity,
        type: 'validation',
        code,
        field: `userConfig.${key}`,
        message,
        hint,
        ...(file === undefined ? {} : { path: file }),
      })
    for (const key of Object.keys(given).filter(one => !settings.has(one))) {
      const [close] = closestNames(key, settings.keys(), 1)
      add(
        'warning',
        'unknown-user-config',
        key,
        `The plugin "${plugin}" has no setting "${key}", so the value given for it is ignored.`,
        close === undefined ? 'Remove the setting.' : `Did you mean "${close}"?`,
      )
    }
    for (const [key, { type, isRequired, byDefault }] of settings) {
      const value = Object.hasOwn(given, key) ? given[key] : byDefault
      if (value === undefined) {
        if (isRequired)
          add(
            'warning',
            'missing-user-config',
            key,
            `The plugin "${plugin}" requires the setting "${key}", which has no value.`,
            'Give the setting a value where the plugin is named.',
          )
      } else if (!isOfType(value, type)) {
        // The value itself may be a secret.
        add(
          'error',
          'invalid-user-config',
          key,
          `The value of the setting "${key}" of the plugin "${plugin}" has to be a ${type}, and is ignored.`,
          'Correct the value where the plugin is named.',
        )
      } else values.set(key, String(value))
    }
    this.problems = problems
    this.#settings = settings
    this.#values = values
  }

  get keys(): readonly string[] {
    return [...this.#settings.keys()]
  }

  /** Returns a value, sensitive or not, for the environment of a process. Undefined if there is none. */
  readForProcess(key: string): string | undefined {
    return this.#values.get(key)
  }

  /** Returns a value. `unknown`: the plugin has no such setting. `unset`: it has no value. */
  read(key: string): { readonly text: string } | 'unknown' | 'unset' | 'sensitive' {
    const setting = this.#settings.get(key)
    if (setting === undefined) return 'unknown'
    if (setting.isSensitive) return 'sensitive'
    const text = this.#values.get(key)
    return text === undefined ? 'unset' : { text }
  }
}

function isOfType(value: string | number | boolean, type: string | undefined): boolean {
  return (type !== 'number' && type !== 'boolean') || typeof value === type
}
