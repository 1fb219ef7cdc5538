import { gatherCorpus } from './gather-corpus.js';
import { FeedbackProgram } from '../programs/feedback-program.js';

export let program: FeedbackProgram;
export const corpus = new Map(gatherCorpus('feedback').map(({ name, raw }) => [name, raw.toString('latin1')]));
export const sample = (name: string): string => corpus.get(name) as string;

export async function startFeedback(): Promise<void> {
  program = await FeedbackProgram.start();
}

export const stopFeedback = (): Promise<void> => program.stop();

/** One letter of the token changed. */
export function forged(returnPath: string): string {
  return returnPath.replace(
    /^(bounces\+.{20})(.)/,
    (_, head: string, letter: string) => head + (letter === 'a' ? 'b' : 'a'),
  );
}
