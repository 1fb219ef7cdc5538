interface ReplyClass {
  readonly category: ReplyCategory;
  /** To be retried, whatever the reply code is. */
  readonly isTemporary: boolean;
}

/** Only this part of a reply is searched: the reason comes first, and a reply may have 64 KB. */
const maxJudgedCharacters = 2_048;

/** Classifies a negative reply by its cause. */
export function classifyReply(code: number, enhancedCode: string | undefined, text: string): ReplyClass {
  const rule = ruleFor(code, enhancedCode, text);
  return { category: rule?.category ?? 'unknown', isTemporary: code < 500 || rule?.isTemporary === true };
}

export function ruleFor(code: number, enhancedCode: string | undefined, text: string): ReplyRule | undefined {
  const judged = text.slice(0, maxJudgedCharacters);
  return replyRules.find(
    (rule) =>
      (rule.code === undefined || rule.code.test(String(code))) &&
      (rule.enhanced === undefined || (enhancedCode !== undefined && rule.enhanced.test(enhancedCode))) &&
      (rule.text === undefined || rule.text.test(judged)),
  );
}

/**
 * The cause of a refusal. Only `bad-address` says anything about the recipient's address. `our-fault` is for the
 * operator: this server, its name, its address or its credentials.
 */
export type ReplyCategory =
  | 'bad-address'
  | 'mailbox-full'
  | 'too-large'
  | 'content'
  | 'attachment'
  | 'reputation'
  | 'policy'
  | 'greylisting'
  | 'rate'
  | 'protocol'
  | 'our-fault'
  | 'unknown';

interface ReplyRule {
  readonly category: ReplyCategory;
  /** The reply must match all of these that are given: its code, its enhanced code (RFC 3463) and its text. */
  readonly code?: RegExp;
  readonly enhanced?: RegExp;
  readonly text?: RegExp;
  /** The reply has a permanent code but is temporary. */
  readonly isTemporary?: boolean;
  /** A reply for which this is the first matching rule. */
  readonly example: string;
}

/**
 * The first rule that matches decides. Texts come before codes, because servers that say "blocked, see this list" in
 * words often say 5.1.1 in digits. A rule for a bad address is as narrow as possible, since it suppresses. The text
 * between two words is bounded, because the reply comes from an untrusted server.
 */
export const replyRules: readonly ReplyRule[] = [
  {
    category: 'greylisting',
    text: /gr[ae]y-?\s?list/i,
    isTemporary: true,
    example: '550 5.7.1 Greylisted, try again in 5 minutes',
  },
  {
    category: 'greylisting',
    code: /^45/,
    text: /try again (?:in|after) \d+ (?:s|m)/i,
    example: '451 4.7.1 Please try again in 300 seconds',
  },
  {
    category: 'greylisting',
    code: /^4/,
    text: /postgrey|deferred for.{0,60}first time|first-time sender/i,
    example: '450 4.2.0 postgrey: see help.html',
  },
  { category: 'mailbox-full', enhanced: /^[45]\.2\.2$/, example: '552 5.2.2 Sorry' },
  {
    category: 'mailbox-full',
    text: /(?:mailbox|inbox|user|account|recipient).{0,30}(?:is )?(?:full|over ?quota)|quota.{0,20}exceed|exceed.{0,30}quota|insufficient (?:disk|storage) space/i,
    example: '550 Mailbox is full',
  },
  {
    category: 'rate',
    text: /too many (?:concurrent )?(?:connections|sessions|messages|emails|recipients|requests)|rate[ -]?limit|too (?:fast|quickly|much mail)|throttl|slow down|unusual rate/i,
    isTemporary: true,
    example: '550 5.7.1 Too many connections from your host',
  },
  {
    category: 'reputation',
    text: /spamhaus|spamcop|barracuda(?:central)?|sorbs|\b(?:rbl|dnsbl)\b|block ?list|blacklist|black-list|senderscore|cloudmark|proofpoint.{0,100}block/i,
    example: '550 5.1.1 Rejected: listed at zen.spamhaus.org',
  },
  {
    category: 'reputation',
    text: /(?:poor|bad|low|very low) (?:domain |sender |ip )?reputation|ip (?:address )?.{0,40}(?:blocked|banned|rejected)|(?:blocked|banned).{0,40}\b(?:ip|host|network)\b/i,
    example: '554 5.7.1 Your IP address has been blocked',
  },
  {
    category: 'our-fault',
    text: /reverse dns|\bptr\b|\brdns\b|invalid helo|helo.{0,30}(?:invalid|rejected|mismatch)|client host rejected: cannot find your (?:reverse )?hostname/i,
    example: '550 5.7.1 Client host rejected: cannot find your reverse hostname',
  },
  { category: 'our-fault', enhanced: /^[45]\.7\.25$/, example: '550 5.7.25 Validation failed' },
  { category: 'our-fault', code: /^53[0458]$/, example: '535 5.7.8 Credentials invalid' },
  {
    category: 'attachment',
    text: /attachment|file (?:type|name|extension).{0,30}(?:not|block|reject)|executable/i,
    example: '552 5.7.0 This message has an attachment that is not allowed',
  },
  { category: 'content', text: /virus|malware|phish|infected/i, example: '554 5.6.0 Virus found' },
  {
    category: 'content',
    text: /\bspam\b|unsolicited|\bjunk\b|content (?:reject|filter|not accept)|message (?:content )?rejected (?:due to|because of) content|looks like (?:uce|bulk)|suspicious|likely (?:un|to be)/i,
    example: '554 5.7.1 Message is considered spam',
  },
  {
    category: 'policy',
    text: /\bspf\b|\bdkim\b|\bdmarc\b|unauthenticated|not authenticated|authentication (?:checks? )?fail/i,
    example: '550 5.7.1 Rejected by DMARC policy',
  },
  { category: 'policy', enhanced: /^[45]\.7\.2[0-467]$/, example: '550 5.7.26 Not accepted' },
  { category: 'too-large', enhanced: /^[45]\.(?:3\.4|2\.3)$/, example: '552 5.3.4 No' },
  {
    category: 'too-large',
    text: /(?:message|size|mail).{0,30}(?:too (?:large|big|long)|exceeds)|exceeds.{0,30}size/i,
    example: '552 Message size exceeds fixed limit',
  },
  {
    category: 'policy',
    text: /relay(?:ing)? (?:access )?(?:denied|not (?:permitted|allowed))|not permitted to relay|unable to relay/i,
    example: '554 5.7.1 Relay access denied',
  },
  { category: 'rate', enhanced: /^[45]\.5\.3$/, isTemporary: true, example: '552 5.5.3 No more' },
  { category: 'bad-address', enhanced: /^5\.1\.(?:1|2|3|6|10)$/, example: '550 5.1.1 No' },
  {
    category: 'bad-address',
    enhanced: /^5\.2\.1$/,
    text: /disabled|inactive|suspended|deactivated|not active/i,
    example: '550 5.2.1 The account is disabled',
  },
  {
    category: 'bad-address',
    code: /^55[0134]$/,
    text: /(?:user|recipient|mailbox|address|account|addressee)\b.{0,60}\b(?:unknown|not (?:found|exist|known|here|valid)|does ?n[o']t exist|doesn.t have|invalid|no longer (?:valid|exists|available)|undeliverable)/i,
    example: '550 Recipient address rejected: User unknown in virtual mailbox table',
  },
  {
    category: 'bad-address',
    code: /^55[0134]$/,
    text: /(?:unknown|invalid|no such|non-?existent|bad) (?:local )?(?:user|recipient|mailbox|address|account|person)|no mailbox (?:here )?by that name/i,
    example: '553 No such user here',
  },
  {
    category: 'bad-address',
    code: /^550$/,
    enhanced: /^5\.5\.0$/,
    text: /mailbox unavailable/i,
    example: '550 5.5.0 Requested action not taken: mailbox unavailable',
  },
  { category: 'rate', enhanced: /^4\.7\.(?:28|650|651)$/, example: '421 4.7.28 Later' },
  { category: 'rate', code: /^421$/, example: '421 Service not available' },
  { category: 'content', enhanced: /^[45]\.6\.\d+$/, example: '554 5.6.0 No' },
  { category: 'protocol', enhanced: /^[45]\.5\.[0-24-9]$/, example: '503 5.5.1 Wrong order' },
  { category: 'protocol', code: /^50\d$/, example: '502 What' },
  { category: 'policy', enhanced: /^[45]\.7\.\d+$/, example: '550 5.7.1 No' },
];
