import { OutboundHttp, OutboundHttpError } from '#http/outbound';
import { Injectable } from '@nestjs/common';
import { StepAnswer, StepCall, StepCaller } from '../../application/ports/step-calls.port.js';

/** For the turn, the connection and the whole answer together. */
const timeoutMs = 15_000;
const maxAnswerBytes = 65_536;
/** What stays the same at the next attempt. */
const finalReasons: readonly OutboundHttpError['reason'][] = ['forbidden', 'invalid'];

/** Calls public addresses only. Redirects are not followed. */
@Injectable()
export class HttpStepCaller extends StepCaller {
  constructor(private readonly http: OutboundHttp) {
    super();
  }

  async call({ teamId, url, headers, body }: StepCall): Promise<StepAnswer> {
    try {
      const response = await this.http.send({
        url,
        owner: teamId,
        method: 'POST',
        headers,
        body,
        timeoutMs,
        isUrgent: true,
        // One byte more tells that there is more.
        maxBytes: maxAnswerBytes + 1,
        cutsBody: true,
        maxRedirects: 0,
      });
      const isTooLarge = response.body.length > maxAnswerBytes;
      return {
        status: response.status,
        body: isTooLarge ? undefined : response.body.toString(),
        error: null,
        isFinal: false,
      };
    } catch (error) {
      if (!(error instanceof OutboundHttpError)) throw error;
      return {
        status: 0,
        body: undefined,
        error: `${error.message}.`,
        isFinal: finalReasons.includes(error.reason),
      };
    }
  }
}
