import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packetScanner, parsePackets, parseProbe } from './probe.ts'

const scan = (...chunks: string[]) => {
  const scanner = packetScanner()
  for (const chunk of chunks) scanner.take(chunk)
  return scanner.done()
}

describe('packetScanner', () => {
  test.each([
    ['in order', ['0.0,0.0,0.5\n0.5,0.5,0.5\n'], { packets: 2, spanMs: 1000, uneven: null }],
    [
      'out of order, in torn chunks',
      ['1.0,0.', '0,0.5\n0.5,0.5,0.5\n0.0,', '1.0,0.5'],
      { packets: 3, spanMs: 1500, uneven: false },
    ],
    [
      'without lengths: the last counts as long as the others',
      ['0.0,0.0,N/A\n0.5,0.5,N/A\n'],
      { packets: 2, spanMs: 1000, uneven: null },
    ],
    ['only decoding times', ['N/A,0.0,0.5\nN/A,0.5,0.5\n'], { packets: 2, spanMs: 1000, uneven: null }],
    ['without any times', ['N/A,N/A,0.04\nN/A,N/A,0.04\n'], { packets: 2, spanMs: null, uneven: null }],
    ['the clock starts anew', ['50.0,50.0,0.5\n0.0,0.0,0.5\n'], { packets: 2, spanMs: null, uneven: null }],
    [
      'milliseconds beside thirds',
      ['0.000,0,0.033\n0.033,0,0.033\n0.067,0,0.033\n0.100,0,0.033\n'],
      { packets: 4, spanMs: 133, uneven: false },
    ],
    [
      'a picture missing',
      ['0.0,0,0.04\n0.04,0,0.04\n0.12,0,0.04\n0.16,0,0.04\n'],
      { packets: 4, spanMs: 200, uneven: true },
    ],
    ['nothing', [''], { packets: 0, spanMs: null, uneven: null }],
  ])('%s', (_, chunks, expected) => {
    const { spanMs, ...found } = scan(...chunks)
    expect({ ...found, spanMs: spanMs === null ? null : Math.round(spanMs) }).toEqual(expected)
  })
})

test('parsePackets marks packets that an edit list leaves out, and skips other lines', () => {
  expect(parsePackets('-0.080000,-0.160000,KD\n4.120000,4.000000,__,\n\nN/A,0.5,K_\nside data\n')).toEqual([
    { pts: -0.08, dts: -0.16, key: true, shown: false },
    { pts: 4.12, dts: 4, key: false, shown: true },
    { pts: null, dts: 0.5, key: true, shown: true },
  ])
})

describe('parseProbe', () => {
  const stream = {
    index: 0,
    codec_type: 'video',
    codec_name: 'h264',
    width: 8,
    height: 4,
    avg_frame_rate: '30000/1001',
  }

  test('numbers in text, rotation from side data, unknowns as null', () => {
    const side = { ...stream, nb_frames: '300', sample_aspect_ratio: '4:3', side_data_list: [{ rotation: -90 }] }
    const probe = parseProbe(JSON.stringify({ streams: [side], format: { duration: '10.010000' } }))
    expect(probe?.video[0]).toMatchObject({ claimedFrames: 300, rotation: -90, pixelAspect: 4 / 3, durationMs: null })
    expect(probe?.video[0]?.frameRate).toBeCloseTo(29.97)
    expect(probe?.durationMs).toBeCloseTo(10_010)
  })

  test('a cover picture does not count as video', () => {
    const cover = { ...stream, disposition: { attached_pic: 1 } }
    expect(parseProbe(JSON.stringify({ streams: [cover] }))).toMatchObject({ video: [], otherStreams: 1 })
  })

  test('position and time: a time zone is kept', () => {
    const tags = {
      creation_time: '2026-11-20T09:11:12.000000Z',
      'com.apple.quicktime.creationdate': '2026-11-20T10:11:12+0100',
      location: '+48.2082-016.3738/',
    }
    const probe = parseProbe(JSON.stringify({ streams: [stream], format: { tags } }))
    expect(probe?.captured).toEqual({ text: '2026-11-20T10:11:12', offset: '+01:00' })
    expect(probe?.position).toEqual({ latitude: 48.2082, longitude: -16.3738 })
  })

  test('never throws, for any JSON and any text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => void parseProbe(JSON.stringify({ streams: [value], format: value }))),
    )
    fc.assert(fc.property(fc.string(), (text) => void parseProbe(text)))
  })
})
