/**
 * The fingerprint of a certificate as words that people compare between two screens (decisions 10). One word for each of its first
 * eight bytes, in their order: 64 bits, which nobody makes another certificate for while a host is being paired. The list is fixed for
 * ever, since two programs of different age show the same words; words differ from each other in three letters or more, and in the
 * first four, so that one that was misheard is no other word.
 */
export const FINGERPRINT_WORDS: readonly string[] = `
  acorn adobe agent alarm alley almond amber anchor ankle apron arcade arctic armor artist aspen atlas autumn badge
  bakery ballad bamboo banjo basil basket beacon beetle bishop blossom bobbin bonfire border branch bronze buffalo
  bugle butter cabin cactus camel canyon captain carpet castle cavern cedar cello cement cherry chimney chisel
  cinnamon circus clarinet clover cobalt cobra coffee compass copper cotton cousin crane cricket crystal cupboard
  cymbal dagger daisy denim desert diamond dinner dolphin domino donkey dragon drawer drummer echo eclipse elbow elder
  elephant emerald engine envelope fabric falcon feather fiddle flannel forest fossil fountain freckle frigate galaxy
  garden garlic gazelle giraffe glacier goblet granite grocer guitar gymnast harvest helmet hickory hippo horizon
  hydrogen iceberg igloo indigo insect iris island ivory jaguar jasmine jersey jigsaw journal juniper kangaroo kayak
  kennel kitchen kiwi knight koala ladder lagoon lantern laptop laurel lemon leopard library lilac linen lizard
  lobster locket lotus lyric magnet mammoth maple mason meadow mermaid meteor mirror mitten mosaic muffin museum
  mustard napkin nectar nephew nickel noodle north nugget nutmeg object ocean octopus olive onion opera orbit orchid
  oxygen palace panda paper parrot peach pebble pelican pencil pewter piano pickle pigeon pillow pirate planet plumber
  polar pony potato prairie pumpkin puppet purple quarry queen quill rabbit radish reef ribbon river ruby saffron
  scarf sequoia sherbet shovel sketch sloth snorkel sofa spider spruce squirrel stadium statue summit sunset teapot
  temple tennis thistle thunder toast topaz tornado tractor trolley trumpet tulip tundra umbrella unicorn vanilla
  vinegar violin volcano voyage vulture waffle walnut whale window wolf yarn yogurt zenith zigzag
`
  .trim()
  .split(/\s+/)

/** How many bytes of the fingerprint are told as words. */
export const WORDS_OF_A_FINGERPRINT = 8

/** @param sha256 64 hexadecimal digits. */
export function fingerprintWords(sha256: string): string[] {
  if (!/^[0-9a-fA-F]{64}$/.test(sha256)) throw new Error('A fingerprint has 64 hexadecimal digits')
  return Array.from(
    { length: WORDS_OF_A_FINGERPRINT },
    (_none, index) => FINGERPRINT_WORDS[Number.parseInt(sha256.slice(2 * index, 2 * index + 2), 16)] as string,
  )
}
