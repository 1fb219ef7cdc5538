import { expect, it } from '@jest/globals';
import { readSndsActivity, readSndsBlocks } from './snds-csv.js';

const rows = [
  '192.0.2.10,11/3/2026 1:00 AM,11/3/2026 7:00 PM,1895,1894,1890,GREEN,< 0.1%,,,0,,,',
  '192.0.2.11,11/3/2026 1:00 AM,11/3/2026 7:00 PM,50,40,39,RED,2.3%,11/3/2026 2:00 AM,11/3/2026 3:00 AM,4,helo.test,a@b.test,"a, quoted <b>note</b>"',
];

it('reads the activity of addresses', () => {
  const day = '2026-11-03';
  expect(readSndsActivity(`\ufeff${rows.join('\r\n')}\r\n`)).toEqual([
    { address: '192.0.2.10', day, filter: 'green', complaintRate: '< 0.1%', recipients: 1_890, trapHits: 0 },
    { address: '192.0.2.11', day, filter: 'red', complaintRate: '2.3%', recipients: 39, trapHits: 4 },
  ]);
  expect(readSndsActivity('2001:db8::1,2026-11-03 19:00,,,,7,yellow,many')).toEqual([
    { address: '2001:db8::1', day, filter: 'yellow', complaintRate: undefined, recipients: 7, trapHits: 0 },
  ]);
});

it('leaves out rows that it does not understand', () => {
  const odd = [
    'IP Address,Activity start,Activity end',
    rows[0]?.replace('192.0.2.10', '192.0.2'),
    rows[0]?.replace('11/3/2026', '13/40/2026'),
    rows[0]?.replace('GREEN', '<b>'),
    '"',
  ];
  expect(readSndsActivity([...odd, rows[1]].join('\n'))).toHaveLength(1);
  expect(readSndsActivity(odd.join('\n'))).toBeUndefined();
  expect(readSndsActivity('<html>Sign in</html>')).toBeUndefined();
  expect(readSndsActivity('\r\n')).toEqual([]);
  expect(readSndsActivity(`${rows[0]}\n`.repeat(20_000))).toHaveLength(10_000);
});

it('reads blocked ranges', () => {
  const ranges = [
    '192.0.2.1,192.0.2.3,Yes,"Blocked due to user complaints, or <i>spam</i>"',
    `192.0.2.9,192.0.2.9,Yes,${'x'.repeat(500)}\u0007`,
    ...['192.0.2.20,192.0.2.21,No,', '192.0.2.1,2001:db8::1,Yes,mixed', 'x,y,Yes,z'],
  ];
  expect(readSndsBlocks(ranges.join('\r\n'))).toEqual([
    { first: '192.0.2.1', last: '192.0.2.3', reason: 'Blocked due to user complaints, or <i>spam</i>' },
    { first: '192.0.2.9', last: '192.0.2.9', reason: 'x'.repeat(200) },
  ]);
  expect(readSndsBlocks('')).toEqual([]);
  expect(readSndsBlocks('First IP,Last IP')).toBeUndefined();
});
