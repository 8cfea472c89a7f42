/**
 * Characters beyond ASCII that look like an ASCII one, after NFKC and in lower case. Each row has the ASCII character,
 * then the code points in base 36, each as its distance from the one before it. Short rows share a line. From
 * confusables.txt of Unicode Technical Standard 39 (data of Unicode, Inc., https://www.unicode.org/license.txt), as far
 * as they stand for a single character.
 */
const rows = `
- k7 sd 4zg 2 1 1 1b cv 138 10l | . 19c 40 h 1 v7a 7q jsy | 2 bs g1 3bq squ 4q 30 | 3 f1 1r 1i bp 4q 7vw o7y me7 h2p jij
4 xwe lkh | 5 cd 1j4u | 6 tt 80y p2j ljr | 7 1fju 3ws 10lo | 8 f7 1jb 3k 1d4g 19dd | 9 1yl 3e 75 ed 672 o84 me5 a
: k0 14 i9 1m 8w 1 354 7r 6 1n5 d8 ptz i4 | _ 1kq | a gh 9s 3j 3h1 2ph pkk 1ak h7q lgg
b at fh 3k q 33k c3 20 s7t kl ru h5v v 2o | c qq 1 3i 4w3 335 nqt 1cl h6b 2o 8r 67 3wt 9 17x6
d zl 31q a7 c s88 1 1b1 1z | e qd 3k 3s 5m9 cx 20q nnb 18i 22 h6y 4eg | f rh br 374 1rd qio jg po h8y u hs 3vh 10lt
g b1 5w j0 38 2uy 1vs qqb 1bu | h qf 3q 3i 51 364 4k3 nrs 1b8 7 h8d | i 8h 8o 1 9b 4d 3d 61w puc 10u lla
j il 9i 2t 379 si4 1b6 | k qi 3k 3ob 4ao nr6 1cv hnm
l cg sg l a 20 1m 40 61 2jk ev 28y d6 79 1ht 1q 3i nma h 1bw h5o 3j n 83 6b 3vw h1g i jk2 4gt
m qk 1r 1t 3hw 6e 4ar nra 1bc h7t 2p 3xr df | n ql cb 4 7q7 nr9 j03
o qn 3j 93 2k 2u u 2h 3 k w 5n bq 3k 3k 3k 1m 1y 3k 3k 3k 1m 1y 6i 3k 99 z 5b cx 20v 2 32m 51 j7 n3g 18q h91
o 1f3f ap 5a 18 33u s8 f 9 | p qp 3j 371 2yv 1tb nqm 1cx h5v | q 10b 20 3 7vz
r hs c3 3f8 1i7 31b nry 19g 1 15 g x hmi l09 jj5 | s ut 8a vhf gf vo 5 h64 c2 41l h2x
t qs 3i 602 111 y6 nql 1b2 h7p q 2s 4av h0u qxq | u i3 8q c8 2gz gc 1qo zy 49 ppt iz q7 4 hpg 3xe h2i
v vp 9v 3z 40 2m0 1rl zs 49 22f nn2 e1 y2 ho4 3jd ca h1k jk5 | w hb du 58 1w 4ow qtl 1ax x l7q 4 1 d3 9
x 5z kw 3i 3cs 1o 6o 1 21 2ws qg 1 77 hq 4w nm6 19k h8d 10 2r b ed 3wl
y gz 18 84 40 30 2ew 2hx ab 2p6 nr7 19q v k h7p 4cy h33 | z qe 50s qt6 1br h9e 4b8 s
`

let known: ReadonlyMap<string, string> | undefined

/** Returns the ASCII character that a character looks like; undefined if it looks like none. */
export const looksLike = (character: string): string | undefined =>
  (known ??= new Map(
    rows
      .trim()
      .split(/ \| |\n/)
      .flatMap(entriesOf),
  )).get(character)

function entriesOf(row: string): readonly (readonly [string, string])[] {
  let point = 0
  return row
    .slice(2)
    .split(' ')
    .map(distance => [String.fromCodePoint((point += parseInt(distance, 36))), row.charAt(0)] as const)
}
