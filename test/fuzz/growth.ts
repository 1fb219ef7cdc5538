import { GrowingInput, growingInputs } from './growing-inputs.js';
import { isRefusal, maxInputCharacters, measured, RemoteParser } from './remote-parser.js';

/**
 * If the largest input takes less than this, its growth does not matter: 64 KB in quadratic time take 60 ms and more.
 * Compilation and garbage collection count too, so that smaller figures say little.
 */
const negligibleMs = 30;
/** Maximum for the largest input, on a busy machine. */
const maxMs = 250;
/** Four times the input: linear is 4, quadratic is 16. */
const maxGrowth = 9;
/** No further run is needed for this growth. */
const clearlyLinear = 6;

/** The minimum of several runs, because other work of the process can only add time. */
async function fastest(parser: RemoteParser, text: string, enoughMs: number, runs = 7): Promise<number> {
  let least = Infinity;
  for (let run = 0; run < runs && least > enoughMs; run++) {
    const { ms, error } = await measured(parser, text);
    if (error !== undefined && !isRefusal(parser, error)) throw error;
    least = Math.min(least, ms);
  }
  return least;
}

/** Inputs for which the parser takes more than linear time, or too long. */
export async function growthTrouble(parser: RemoteParser, inputs = growingInputs(parser)): Promise<string[]> {
  const found: string[] = [];
  for (const input of inputs) {
    const sign = await trouble(parser, input);
    if (sign !== undefined) found.push(sign);
  }
  return found;
}

/** Undefined if it takes linear or negligible time. Compilation by the engine may look like growth, but only once. */
async function trouble(parser: RemoteParser, input: GrowingInput, tries = 3): Promise<string | undefined> {
  const largest = Math.min(parser.maxCharacters ?? maxInputCharacters, maxInputCharacters);
  const text = input.of(largest);
  if ((await fastest(parser, text, negligibleMs, 1)) <= negligibleMs) return undefined;
  const atQuarter = await fastest(parser, input.of(largest / 4), negligibleMs / 40, 6);
  const atLargest = await fastest(parser, text, Math.min(maxMs, atQuarter * clearlyLinear));
  if (atLargest <= maxMs && (atLargest <= negligibleMs || atLargest / atQuarter <= maxGrowth)) return undefined;
  if (tries > 1) return trouble(parser, input, tries - 1);
  return `${input.name}: ${atQuarter.toFixed(1)} ms, and four times as much ${atLargest.toFixed(1)} ms`;
}
