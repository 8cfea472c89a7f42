/**
 * Characters that are invisible: controls, direction marks, characters without width, and tags. A joiner inside a word
 * or inside a composed picture does not count.
 */
const unseen =
  /((?![\t\n\r])\p{Cc}|(?![\u200C\u200D])\p{Cf}|[\u2028\u2029\u115F\u1160\u3164\uFFA0]|(?<![\p{L}\p{M}\p{Extended_Pictographic}\uFE0F])[\u200C\u200D]|(?<![\p{Extended_Pictographic}\d#*])[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}])/u

/** Shows a text of a skill. Invisible characters appear as their numbers, and do not reverse the text. */
export function Seen({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(unseen).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <span
            key={at}
            class="unseen"
            data-code={`U+${part.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`}
          >
            {part}
          </span>
        ),
      )}
    </>
  )
}
