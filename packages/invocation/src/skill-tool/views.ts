import { isDescribed, mayModelInvoke, type Catalog, type CatalogEntry, type PromptCommand } from '@skills/core'

/** Who is visible in a distribution. The defaults are those of core. */
export interface Visibility {
  /**
   * Whether enough is said about a command to list it. Default: it has a description, also one that was taken from its
   * text, or a when-to-use.
   */
  readonly isDescribed?: ((command: PromptCommand) => boolean) | undefined
  /** Whether a model is told of skills only, and not of legacy commands. Default: true. */
  readonly skillsOnly?: boolean | undefined
}

/** The three lists of a catalog. */
export interface Views {
  /** What a model may be told of. */
  readonly modelVisible: readonly CatalogEntry[]
  /** Prompts that are no skills, which reach a model only through a host that offers them. */
  readonly slashVisible: readonly CatalogEntry[]
  /** Skills, and what is kept from models. */
  readonly hybrid: readonly CatalogEntry[]
}

type PromptEntry = CatalogEntry & { readonly command: PromptCommand }

const known = new WeakMap<Catalog, WeakMap<Visibility, Views>>()
const standard: Visibility = {}

/**
 * The three lists of a catalog under a distribution's rules. Made once for each catalog, so that all of them are new
 * when it is. See docs/reference/commands.md, "Who sees what".
 */
export function viewsOf(catalog: Catalog, visibility: Visibility = standard): Views {
  const ofCatalog = known.get(catalog) ?? new WeakMap<Visibility, Views>()
  known.set(catalog, ofCatalog)
  const views = ofCatalog.get(visibility) ?? madeOf(catalog.entries, visibility)
  ofCatalog.set(visibility, views)
  return views
}

/**
 * What the listing of a distribution has, for {@link Listings}: what is visible to models, but for what users keep and
 * what is dormant. Each listing asks it of every command there is, so it is one function: calling four others takes
 * longer than what they look at.
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
 * Core's rules for one command, with a distribution's own answer to what is described.
 * @param entries of a catalog, which has asked them already whether they are enabled
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
