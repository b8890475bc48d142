import { z } from 'zod'

/** How the strip of a video is laid out: beside its media, and in the list of evidence. */
export const StripModel = z
  .object({
    Address: z.string().meta({ description: 'A relative address: one JPEG with all tiles, row by row.' }),
    Columns: z.int(),
    Rows: z.int(),
    Count: z.int().meta({ description: 'Tiles that count; the rest of the last row repeats the last one.' }),
    TileWidth: z.int(),
    TileHeight: z.int(),
    IntervalSeconds: z
      .number()
      .meta({ description: 'Tile n shows the middle of the stretch from n × this to (n + 1) × this.' }),
  })
  .meta({ id: 'MediaStrip' })
