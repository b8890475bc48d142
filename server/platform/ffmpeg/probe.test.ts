import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packetScanner, parseProbe } from './probe.ts'

const scan = (...chunks: string[]) => {
  const scanner = packetScanner()
  for (const chunk of chunks) scanner.take(chunk)
  return scanner.done()
}

describe('packetScanner', () => {
  test.each([
    ['in order', ['0.0,0.0,0.5\n0.5,0.5,0.5\n'], { packets: 2, spanMs: 1000 }],
    ['out of order, in torn chunks', ['1.0,0.', '0,0.5\n0.5,0.5,0.5\n0.0,', '1.0,0.5'], { packets: 3, spanMs: 1500 }],
    [
      'without lengths: the last counts as long as the others',
      ['0.0,0.0,N/A\n0.5,0.5,N/A\n'],
      { packets: 2, spanMs: 1000 },
    ],
    ['only decoding times', ['N/A,0.0,0.5\nN/A,0.5,0.5\n'], { packets: 2, spanMs: 1000 }],
    ['without any times', ['N/A,N/A,0.04\nN/A,N/A,0.04\n'], { packets: 2, spanMs: null }],
    ['the clock starts anew', ['50.0,50.0,0.5\n0.0,0.0,0.5\n'], { packets: 2, spanMs: null }],
    ['nothing', [''], { packets: 0, spanMs: null }],
  ])('%s', (_, chunks, expected) => expect(scan(...chunks)).toEqual(expected))
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

  test('a cover is no film', () => {
    const cover = { ...stream, disposition: { attached_pic: 1 } }
    expect(parseProbe(JSON.stringify({ streams: [cover] }))).toMatchObject({ video: [], otherStreams: 1 })
  })

  test('place and time: the zone is kept where there is one', () => {
    const tags = {
      creation_time: '2026-11-20T09:11:12.000000Z',
      'com.apple.quicktime.creationdate': '2026-11-20T10:11:12+0100',
      location: '+48.2082-016.3738/',
    }
    const probe = parseProbe(JSON.stringify({ streams: [stream], format: { tags } }))
    expect(probe?.captured).toEqual({ text: '2026-11-20T10:11:12', offset: '+01:00' })
    expect(probe?.position).toEqual({ latitude: 48.2082, longitude: -16.3738 })
  })

  test('any JSON and any text is survived', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => void parseProbe(JSON.stringify({ streams: [value], format: value }))),
    )
    fc.assert(fc.property(fc.string(), (text) => void parseProbe(text)))
  })
})
