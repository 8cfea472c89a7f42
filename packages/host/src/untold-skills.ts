import { ToldSkills, type ToldCall, type ToldEngine } from '@skills/invocation/internal'

/** Skills that the model should be told of, and is not told whole. */
export interface UntoldSkills {
  /** Sentence with the reason, if the program tells its model of no skill by itself. */
  readonly tellsNothing?: string | undefined
  /** Number of skills that the listing has or has no room for. */
  readonly all: number
  readonly cut: number
  /** How many of those are cut at any budget, because their descriptions are too long. */
  readonly capped: number
  /** Listed by their names alone, although no setting says so. */
  readonly nameOnly: number
  readonly leftOut: number
  /** Characters of the listing; undefined if it has no limit. */
  readonly budgetChars: number | undefined
}

/**
 * Returns the numbers of skills that the model is not told whole for lack of room, without those that the program
 * brings along. Undefined if there are none.
 */
export async function untoldSkills(engine: ToldEngine, call: ToldCall = {}): Promise<UntoldSkills | undefined> {
  const { entries } = await engine.skills.catalog({ signal: call.signal })
  const told = await ToldSkills.of(engine, call)
  const { budgetChars } = told.listing
  const counts = { cut: 0, capped: 0, nameOnly: 0, leftOut: 0 }
  let all = 0
  for (const entry of entries) {
    const part = told.partOf(entry)
    // Those that the program brings along take room, but no one here can shorten them.
    if (part === undefined || entry.command.source === 'bundled') continue
    all++
    if (part.cause !== 'budget' && part.cause !== 'strategy') continue
    counts[part.told === 'cut' ? 'cut' : part.told === 'name' ? 'nameOnly' : 'leftOut']++
    if (part.told === 'cut' && part.cause === 'strategy') counts.capped++
  }
  if (counts.cut + counts.nameOnly + counts.leftOut === 0) return undefined
  const tellsNothing = engine.distribution.ofProgram?.tellsNothing
  return {
    all,
    ...counts,
    budgetChars: Number.isFinite(budgetChars) ? budgetChars : undefined,
    ...(tellsNothing !== undefined && { tellsNothing }),
  }
}
