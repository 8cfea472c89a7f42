/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type { Conversation } from './conversation.js'
export type { SessionHost } from './conversation-options.js'
export type { OnWarning } from './heard-model.js'
export type { AnswerLimits } from './bounded-stream.js'
