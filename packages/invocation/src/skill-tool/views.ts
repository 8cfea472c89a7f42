import { isDescribed, mayModelInvoke, type Catalog, type CatalogEntry, type PromptCommand } from '@skills/core'

/** Rules of a distribution about which commands are shown. The defaults are those of core. */
export interface Visibility {
  /**
   * True if a command has enough description to be listed. Default: it has a when-to-use, or a description, which may
   * be taken from its text.
   */
  readonly isDescribed?: ((command: PromptCommand) => boolean) | undefined
  /** True if a model is told of skills only, and not of legacy commands. Default: true. */
  readonly skillsOnly?: boolean | undefined
}

/** The three lists of a catalog. */
export interface Views {
  /** Entries that a model may be told of. */
  readonly modelVisible: readonly CatalogEntry[]
  /** Prompts that are not skills. They reach a model only through a host that offers them. */
  readonly slashVisible: readonly CatalogEntry[]
  /** Skills, and prompts that models may not invoke. */
  readonly hybrid: readonly CatalogEntry[]
}

type PromptEntry = CatalogEntry & { readonly command: PromptCommand }

const known = new WeakMap<Catalog, WeakMap<Visibility, Views>>()
const standard: Visibility = {}

/**
 * Returns the three lists of a catalog under a distribution's rules. The lists are made once for each catalog. See
 * docs/reference/commands.md, "Who sees what".
 */
export function viewsOf(catalog: Catalog, visibility: Visibility = standard): Views {
  const ofCatalog = known.get(catalog) ?? new WeakMap<Visibility, Views>()
  known.set(catalog, ofCatalog)
  const views = ofCatalog.get(visibility) ?? madeOf(catalog.entries, visibility)
  ofCatalog.set(visibility, views)
  return views
}

/**
 * Makes the `isListed` of a distribution for {@link Listings}: entries that models may see, except dormant ones and
 * those that users keep to themselves (`user-only`). Each listing calls the result for every command. All checks are
 * therefore in one function; four nested calls would take longer than the checks themselves.
 */
export function listedBy({ isDescribed: isEnough = isDescribed, skillsOnly = true }: Visibility = standard): (
  entry: CatalogEntry,
) => boolean {
  return ({ command, override, dormant }) =>
    override !== 'user-only' &&
    dormant === undefined &&
    command.type === 'prompt' &&
    command.source !== 'builtin' &&
    (command.isSkill || !skillsOnly) &&
    isEnough(command) &&
    mayModelInvoke(command)
}

/**
 * Makes the lists by core's rules, with a distribution's own rule for what is described.
 * @param entries entries of a catalog, which has already left out disabled ones
 */
function madeOf(
  entries: readonly CatalogEntry[],
  { isDescribed: isEnough = isDescribed, skillsOnly = true }: Visibility,
): Views {
  const offered = entries.filter(
    (entry): entry is PromptEntry =>
      entry.command.type === 'prompt' && entry.command.source !== 'builtin' && isEnough(entry.command),
  )
  const told = offered.filter(({ command }) => !command.disableModelInvocation)
  return {
    modelVisible: skillsOnly ? told.filter(({ command }) => command.isSkill) : told,
    slashVisible: told.filter(({ command }) => !command.isSkill),
    hybrid: offered.filter(({ command }) => command.isSkill || command.disableModelInvocation),
  }
}
