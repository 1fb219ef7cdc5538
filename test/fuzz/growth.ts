import { GrowingInput, growingInputs } from './growing-inputs.js';
import { isRefusal, maxInputCharacters, measured, RemoteParser } from './remote-parser.js';

/** Of the quarter: even quadratic time would then be next to nothing. */
const negligibleMs = 1;
/** For the largest input, on a machine that has other things to do. */
const maxMs = 300;
/** Four times the input: linear is 4, quadratic is 16. */
const maxGrowth = 9;

/** The least of several: whatever else happens in the process only adds to it. */
async function fastest(parser: RemoteParser, text: string, enoughMs: number): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < 7 && least > enoughMs; run++) {
    const { ms, error } = await measured(parser, text);
    if (error !== undefined && !isRefusal(parser, error)) throw error;
    least = Math.min(least, ms);
  }
  return least;
}

/** Inputs that the parser takes more than linear time for, or too much of it. */
export async function growthTrouble(parser: RemoteParser): Promise<string[]> {
  const found: string[] = [];
  for (const input of growingInputs(parser)) {
    const sign = await trouble(parser, input);
    if (sign !== undefined) found.push(sign);
  }
  return found;
}

/** Undefined where it takes linear time, or next to none. */
async function trouble(parser: RemoteParser, input: GrowingInput): Promise<string | undefined> {
  const largest = Math.min(parser.maxCharacters ?? maxInputCharacters, maxInputCharacters);
  const atQuarter = await fastest(parser, input.of(largest / 4), negligibleMs);
  if (atQuarter <= negligibleMs) return undefined;
  const atLargest = await fastest(parser, input.of(largest), atQuarter * 4);
  if (atLargest <= maxMs && atLargest / atQuarter <= maxGrowth) return undefined;
  return `${input.name}: ${atQuarter.toFixed(1)} ms, and four times as much ${atLargest.toFixed(1)} ms`;
}
