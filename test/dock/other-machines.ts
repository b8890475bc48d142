/** What Windows and macOS answer, drawn from how such answers look. Neither was asked. */

type Card = 'one' | 'two'

export function windows() {
  const disks = {
    one: {
      index: 1,
      interface: 'USB',
      media: 'Removable Media',
      pnp: 'USBSTOR\\DISK&VEN_BWC&PROD_CAMERA&REV_1.00\\BWC00017&0',
    },
    two: {
      index: 2,
      interface: 'USB',
      media: 'Removable Media',
      pnp: 'USBSTOR\\DISK&VEN_GENERIC&PROD_STORAGE&REV_1206\\7&2F6B3A1&0&000000&0',
    },
  }
  const letters = {
    one: {
      letter: 'E:',
      type: 2,
      filesystem: 'FAT32',
      label: 'BODYCAM',
      serial: '63313765',
      total: '63900000000',
      free: '20000000000',
      access: 0,
    },
    two: {
      letter: 'F:',
      type: 2,
      filesystem: 'exFAT',
      label: '',
      serial: '11112222',
      total: 31900000000,
      free: 7,
      access: 1,
    },
  }
  const usb = {
    one: {
      id: 'USB\\VID_4255&PID_1000\\BWC00017',
      places: ['PCIROOT(0)#PCI(1400)#USBROOT(0)#USB(4)', 'ACPI(_SB_)#ACPI(PCI0)'],
    },
    two: { id: 'USB\\VID_05E3&PID_0751\\7&2F6B3A1&0&000000', places: null },
  }
  return {
    answer: (there: ReadonlySet<Card>): string => {
      const cards = (['one', 'two'] as const).filter((card) => there.has(card))
      return JSON.stringify({
        system: 'C:',
        disks: [
          { index: 0, interface: 'SCSI', media: 'Fixed hard disk media', pnp: 'SCSI\\DISK&VEN_NVME\\5&0' },
          ...cards.map((card) => disks[card]),
        ],
        parts: [
          { part: 'Disk #0, Partition #1', letter: 'C:' },
          ...cards.map((card) => ({ part: `Disk #${disks[card].index}, Partition #0`, letter: letters[card].letter })),
        ],
        letters: [
          {
            letter: 'C:',
            type: 3,
            filesystem: 'NTFS',
            label: 'Windows',
            serial: 'AA',
            total: '1',
            free: '1',
            access: 0,
          },
          {
            letter: 'D:',
            type: 5,
            filesystem: 'CDFS',
            label: 'DRIVER',
            serial: 'BB',
            total: '1',
            free: '0',
            access: 1,
          },
          // A reader's slot without a card, and a share.
          { letter: 'G:', type: 2, filesystem: null, label: null, serial: null, total: '', free: '', access: null },
          { letter: 'Z:', type: 4, filesystem: 'NTFS', label: 'share', serial: 'CC', total: '1', free: '1', access: 0 },
          ...cards.map((card) => letters[card]),
        ],
        usb: [{ id: 'USB\\VID_046D&PID_C52B\\5&1', places: [] }, ...cards.map((card) => usb[card])],
      })
    },
  }
}

export function macos() {
  const one = {
    _name: 'Body Camera',
    vendor_id: '0x4255  (Maker Ltd.)',
    product_id: '0x1000',
    serial_num: 'BWC00017',
    location_id: '0x14230000 / 9',
    Media: [
      {
        _name: 'BWC CAMERA',
        bsd_name: 'disk4',
        volumes: [
          {
            _name: 'BODYCAM',
            bsd_name: 'disk4s1',
            mount_point: '/Volumes/BODYCAM',
            file_system: 'MS-DOS FAT32',
            size_in_bytes: 63_900_000_000,
            free_space_in_bytes: 20_000_000_000,
            volume_uuid: 'U-1',
            writable: 'yes',
          },
        ],
      },
    ],
  }
  const two = {
    _name: 'Reader',
    vendor_id: '0x05e3  (Genesys Logic, Inc.)',
    product_id: '0x0751',
    location_id: '0x14240000 / 10',
    Media: [
      {
        _name: 'CARD',
        bsd_name: 'disk5',
        mount_point: '/Volumes/CARD',
        file_system: 'ExFAT',
        size_in_bytes: 10,
        free_space_in_bytes: 1,
        writable: 'no',
      },
    ],
  }
  return {
    answer: (there: ReadonlySet<Card>): string =>
      JSON.stringify({
        SPUSBDataType: [
          {
            _name: 'USB31Bus',
            _items: [
              {
                _name: 'Hub',
                vendor_id: '0x2109',
                product_id: '0x2817',
                location_id: '0x14200000 / 3',
                _items: [...(there.has('one') ? [one] : []), ...(there.has('two') ? [two] : [])],
              },
              { _name: 'Keyboard', vendor_id: 'apple_vendor_id', product_id: '0x0267', location_id: '0x14100000 / 1' },
              // A stick that the machine was started from.
              {
                _name: 'Stick',
                vendor_id: '0x0951',
                product_id: '0x1666',
                location_id: '0x14300000 / 2',
                Media: [
                  {
                    bsd_name: 'disk2',
                    volumes: [
                      {
                        _name: 'Macintosh HD',
                        bsd_name: 'disk2s1',
                        mount_point: '/',
                        file_system: 'APFS',
                        writable: 'yes',
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
        SPCardReaderDataType: [],
      }),
  }
}
