import { expect, it } from '@jest/globals';
import { ServedRegions } from './lane-name.js';

const regions = ['us-east-1', 'eu-west-1'];
const [us, eu, gone, older] = [
  'us-east-1/default/mx:a.test',
  'eu-west-1/default/paced:bulk:x:google',
  'unknown/default/test-addresses',
  'mx:a.test',
];

it.each([
  [undefined, [us, eu, gone, older]],
  ['us-east-1', [us, gone, older]],
  ['eu-west-1', [eu]],
])(
  'a process with the region %s sends from its lanes, the default region also from those of no region',
  (own, served) => {
    const of = new ServedRegions(own, regions);
    expect([us, eu, gone, older].filter((lane) => of.serves(lane))).toEqual(served);
  },
);
