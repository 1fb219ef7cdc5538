import { GrowingInput, growingInputs } from './growing-inputs.js';
import { isRefusal, maxInputCharacters, measured, RemoteParser } from './remote-parser.js';

/** For the largest input: whether that was linear makes no difference to anybody. */
const negligibleMs = 8;
/** For the largest input, on a machine that has other things to do. */
const maxMs = 100;
/** Four times the input: linear is 4, quadratic is 16. */
const maxGrowth = 9;

/** The least of several: whatever else happens in the process only adds to it. */
async function fastest(parser: RemoteParser, text: string, enoughMs: number, runs = 7): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < runs && least > enoughMs; run++) {
    const { ms, error } = await measured(parser, text);
    if (error !== undefined && !isRefusal(parser, error)) throw error;
    least = Math.min(least, ms);
  }
  return least;
}

/** Inputs that the parser takes more than linear time for, or too much of it. */
export async function growthTrouble(parser: RemoteParser, inputs = growingInputs(parser)): Promise<string[]> {
  const found: string[] = [];
  for (const input of inputs) {
    const sign = await trouble(parser, input);
    if (sign !== undefined) found.push(sign);
  }
  return found;
}

/** Undefined where it takes linear time, or next to none. What is compiled meanwhile may look like growth, but only once. */
async function trouble(parser: RemoteParser, input: GrowingInput, tries = 3): Promise<string | undefined> {
  const largest = Math.min(parser.maxCharacters ?? maxInputCharacters, maxInputCharacters);
  const text = input.of(largest);
  if ((await fastest(parser, text, negligibleMs, 1)) <= negligibleMs) return undefined;
  const atQuarter = await fastest(parser, input.of(largest / 4), negligibleMs / 16);
  const atLargest = await fastest(parser, text, atQuarter * 4);
  if (atLargest <= maxMs && (atLargest <= negligibleMs || atLargest / atQuarter <= maxGrowth)) return undefined;
  if (tries > 1) return trouble(parser, input, tries - 1);
  return `${input.name}: ${atQuarter.toFixed(1)} ms, and four times as much ${atLargest.toFixed(1)} ms`;
}
