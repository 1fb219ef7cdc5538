interface ReplyClass {
  readonly category: ReplyCategory;
  /** To be retried, whatever the reply code is. */
  readonly isTemporary: boolean;
}

/** Only this part of a reply is searched: the reason comes first, and a reply may have 64 KB. */
const maxJudgedCharacters = 2_048;

/** Which command a reply answers: one before MAIL, MAIL, or one that came after the recipient was named. */
export type ReplyStage = 'handshake' | 'mail' | 'recipient';

/** Classifies a negative reply by its cause. */
export function classifyReply(
  code: number,
  enhancedCode: string | undefined,
  text: string,
  stage: ReplyStage = 'recipient',
): ReplyClass {
  const rule = ruleFor(code, enhancedCode, text);
  const category = rule?.category ?? 'unknown';
  return {
    category: category === 'bad-address' ? badAddressAt(stage, text) : category,
    isTemporary: code < 500 || rule?.isTemporary === true,
  };
}

/** Before RCPT the server knows no recipient, so an address that it calls bad is the sender's. Reports quote the command. */
function badAddressAt(stage: ReplyStage, text: string): ReplyCategory {
  if (stage === 'handshake') return 'unknown';
  return stage === 'mail' || /\b(?:in reply to|after) MAIL FROM\b/i.test(text) ? 'bad-sender' : 'bad-address';
}

/** Whether a text names the sender's address and none of the recipients, so that an address that it calls bad is the sender's. */
export function namesOnlySender(text: string, sender: string, recipients: readonly string[]): boolean {
  const judged = text.toLowerCase();
  const isNamed = (address: string): boolean => address !== '' && judged.includes(address.toLowerCase());
  return isNamed(sender) && !recipients.some(isNamed);
}

export function ruleFor(code: number, enhancedCode: string | undefined, text: string): ReplyRule | undefined {
  // An address could have any of the words in it.
  const judged = text.slice(0, maxJudgedCharacters).replace(/[^\s<>@]{1,64}@[^\s<>]{1,255}/g, '@');
  const enhanced = enhancedCode ?? /#([45]\.\d{1,3}\.\d{1,3})\b/.exec(judged)?.[1];
  return replyRules.find((rule) => matches(rule, code, enhanced, judged));
}

function matches(rule: ReplyRule, code: number, enhanced: string | undefined, text: string): boolean {
  return (
    (rule.code === undefined || rule.code.test(String(code))) &&
    (rule.enhanced === undefined || (enhanced !== undefined && rule.enhanced.test(enhanced))) &&
    (rule.text === undefined || rule.text.test(text))
  );
}

/**
 * Whether a reply ends only the session, because it has carried enough or lasted too long, and another one may take the
 * message at once. Replies that ask for less load, or that name a reason about the sender, do not.
 */
export function endsSessionOnly(code: number, enhancedCode: string | undefined, text: string): boolean {
  if (code !== 421) return false;
  const judged = text.slice(0, maxJudgedCharacters);
  if (sessionLimit.test(judged)) return true;
  return enhancedCode?.startsWith('4.7.') !== true && ruleFor(code, enhancedCode, text) === anyClosing;
}

const sessionLimit =
  /\b(?:per|in|on|for|of) (?:this |one |a |the |single |each ){0,2}(?:smtp )?(?:connection|session)\b|(?:connection|session) (?:has )?(?:expired|time)|\breconnect/i;

/**
 * The cause of a refusal. Only `bad-address` says anything about the recipient's address. `bad-sender` is about the
 * sender's: its mailbox or domain is not found, or it is not accepted. `our-fault` is for the operator: this server, its
 * name, its address or its credentials.
 */
export type ReplyCategory =
  | 'bad-address'
  | 'bad-sender'
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

/** A 421 without a known reason. */
const anyClosing: ReplyRule = { category: 'rate', code: /^421$/, example: '421 Service not available' };

const senderNoun =
  '(?:(?:envelope |return |smtp )?senders?|mail[ -]?from|return[ -]?path|reverse[ -]?path|(?:rfc.?5321.?|envelope.|your )?from(?: address| domain)|your from|emetteur)';
const itsPart = "(?:'s)?(?: (?:e-?mail|envelope|address|domain|user|mailbox|account|name)){0,3}";
const isRefused =
  "(?:rejected|refused|denied|invalid|invalide|unknown|undeliverable|unverified|unresolvable|unrout(?:e)?able|cannot be|could not be|has (?:a |an )?(?:no|null|been denied)|not (?:found|exist|known|valid|verified|resolved?|allowed|owned|logged)|(?:is|was) in my badmailfrom|(?:does ?n[o']t|do not) (?:exist|resolve)|must (?:exist|resolve|contain)|in (?:my )?badmailfrom)";
const refuses =
  '(?:invalid|illegal|unknown|unresolvable|unrout(?:e)?able|bad|bad outbound|non-?existent|no such|required for|(?:unable to|cannot|could not|couldn.t|can.t|failed to) (?:verify|resolve|find)(?: the| your)?)';

/**
 * The first rule that matches decides. Whom a reply is about comes before what it says, because a reply about the sender
 * may quote "no such user". Texts come before codes, because servers that say "blocked, see this list" in words often
 * say 5.1.1 in digits. A rule for a bad address is as narrow as possible, since it suppresses. The text between two
 * words is bounded, because the reply comes from an untrusted server.
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
    text: /try again (?:later )?(?:in|after) \d+ (?:s|m)/i,
    example: '451 4.7.1 Please try again in 300 seconds',
  },
  {
    category: 'greylisting',
    code: /^4/,
    text: /postgrey|deferred for.{0,60}first time|first-time sender/i,
    example: '450 4.2.0 postgrey: see help.html',
  },
  {
    // These quote the answer of another server, in which any of the words below may stand.
    category: 'bad-sender',
    text: /sender verif|verification failed for <|complete sender verify|sender address rejected: (?:undeliverable|unverified)/i,
    example: '550 Sender verify failed: no such user',
  },
  { category: 'mailbox-full', enhanced: /^[45]\.2\.2$/, example: '552 5.2.2 Sorry' },
  {
    category: 'mailbox-full',
    text: /(?:mailbox|inbox|user|account|recipient).{0,30}(?:is )?(?:full|over ?quota)|quota.{0,20}exceed|exceed.{0,30}quota|\bover quota\b|insufficient (?:disk|storage) space/i,
    example: '550 Mailbox is full',
  },
  {
    category: 'rate',
    text: /too many (?:concurrent )?(?:connections|sessions|messages|emails|recipients|requests)|rate[ -]?limit|too (?:fast|quickly|much mail)|throttl|slow down|unusual rate|(?:rate|frequency|(?:thread|relay|connection) limit)\b.{0,40}(?:exceeded|limited)|server busy|(?:daily|hourly) (?:relay )?quota/i,
    isTemporary: true,
    example: '550 5.7.1 Too many connections from your host',
  },
  {
    category: 'reputation',
    text: /spamhaus|spamcop|barracuda(?:central)?|sorbs|\b(?:rbl|dnsbl)s?\b|block ?list|black[ -]?list|senderscore|cloudmark|proofpoint.{0,100}block/i,
    example: '550 5.1.1 Rejected: listed at zen.spamhaus.org',
  },
  {
    category: 'reputation',
    text: /(?:poor|bad|low|very low) (?:domain |sender |ip )?reputation|ip (?:address )?.{0,40}(?:blocked|banned|rejected)|(?:blocked|banned).{0,40}\b(?:ip|host|network)\b|client host .{0,60}blocked|blocked for abuse|messages from .{0,60} weren't sent/i,
    example: '554 5.7.1 Your IP address has been blocked',
  },
  {
    category: 'reputation',
    enhanced: /^5\.7\.(?:511|513|60[6-9]|6[1-4]\d|708)$/,
    example: '550 5.7.511 Access denied',
  },
  {
    category: 'our-fault',
    text: /reverse dns|\bptr\b|\brdns\b|invalid helo|helo.{0,30}(?:invalid|rejected|mismatch)|client host rejected: cannot find your (?:reverse )?hostname/i,
    example: '550 5.7.1 Client host rejected: cannot find your reverse hostname',
  },
  { category: 'our-fault', enhanced: /^[45]\.7\.25$/, example: '550 5.7.25 Validation failed' },
  // SPF, DKIM or DMARC (RFC 7372), whatever the words say about phishing.
  { category: 'policy', enhanced: /^[45]\.7\.2[0-46]$/, example: '550 5.7.26 Not accepted' },
  { category: 'our-fault', code: /^53[0458]$/, example: '535 5.7.8 Credentials invalid' },
  {
    category: 'attachment',
    text: /attachment|file (?:type|name|extension).{0,30}(?:not|block|reject)|executable/i,
    example: '552 5.7.0 This message has an attachment that is not allowed',
  },
  { category: 'content', text: /virus|malware|phish|infected/i, example: '554 5.6.0 Virus found' },
  {
    category: 'content',
    text: /\bspam\b|unsolicited|\bjunk\b|content (?:reject|filter|not accept)|message (?:content )?rejected (?:due to|because of) content|content denied|looks like (?:uce|bulk)|suspicious|likely (?:un|to be)|\bofr[_-]506\b/i,
    example: '554 5.7.1 Message is considered spam',
  },
  {
    category: 'policy',
    text: /\bspf\b|\bdkim\b|\bdmarc\b|unauthenticated|not authenticated|authentication (?:checks? )?fail/i,
    example: '550 5.7.1 Rejected by DMARC policy',
  },
  {
    category: 'bad-sender',
    text: new RegExp(
      `\\b${senderNoun}${itsPart}\\b(?:(?!recipient).){0,60}\\b${isRefused}|\\b${refuses} (?:smtp |envelope |mail )?${senderNoun}\\b`,
      'i',
    ),
    example: '550 5.1.1 Sender address rejected: Domain not found',
  },
  {
    category: 'bad-sender',
    text: /domain may not exist or dns check failed|invalid dns mx or a\/aaaa|e-?mail address is not verified|your (?:e-?mail |mail |sending )?(?:address|domain) (?:does not exist|has no mx)/i,
    example: '550 Domain may not exist or DNS check failed',
  },
  {
    category: 'bad-sender',
    enhanced: /^[45]\.1\.[78]$/,
    // Some servers say "bad sender" in digits and name the recipient in words.
    text: /^(?!.{0,200}recipient (?:address )?(?:rejected|unknown|not found))/i,
    example: '550 5.1.8 Access denied',
  },
  { category: 'policy', enhanced: /^[45]\.7\.27$/, example: '550 5.7.27 Not accepted' },
  {
    category: 'policy',
    text: /policy (?:error|reject|violation)|(?:for policy reasons|due to local policy)|(?:denied|rejected|refused) by (?:local )?policy/i,
    example: '552 5.1.1 Mailbox delivery failure policy error',
  },
  { category: 'too-large', enhanced: /^[45]\.(?:3\.4|2\.3)$/, example: '552 5.3.4 No' },
  {
    category: 'too-large',
    text: /(?:message|size|mail).{0,30}(?:too (?:large|big|long)|exceeds)|exceed(?:s|ed).{0,30}size|size.{0,30}exceeded/i,
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
    enhanced: /^5\.7\.13$/,
    text: /recipient|account disabled/i,
    example: '525 5.7.13 Disabled recipient address',
  },
  {
    category: 'bad-address',
    enhanced: /^5\.4\.1$/,
    text: /recipient address(?:es)? rejected ?: access denied/i,
    example: '550 5.4.1 Recipient address rejected: Access denied.',
  },
  {
    category: 'bad-address',
    enhanced: /^5\.1\.0$/,
    text: /^(?:#5\.1\.0 )?address rejected/i,
    example: '550 5.1.0 Address rejected',
  },
  {
    category: 'bad-address',
    code: /^55[0134]$/,
    text: /(?<!your )\b(?:account|mailbox|user)\b(?!.{0,30}temporar).{0,30}\b(?:disabled|deactivated|discontinued|terminated|suspended|frozen)|account (?:is |has been )?closed|recipient account is blocked/i,
    example: '554 This mailbox is disabled',
  },
  {
    category: 'bad-address',
    code: /^550$/,
    text: /^(?:requested action not taken: )?mailbox unavailable[.!]?(?: for explanation.{0,200})?$|^unroute?able address/i,
    example: '550 Requested action not taken: mailbox unavailable',
  },
  {
    category: 'bad-address',
    code: /^55[0-4]$/,
    text: /(?:user|recipient|mailbox|address|account|addressee)\b.{0,60}\b(?:unknown|(?:not (?:found|exist|known|here|valid|recognized)|not listed in|cannot be verified)|does ?n[o']t exist|doesn.t have|invalid|no longer (?:valid|exists|available)|undeliverable)/i,
    example: '550 Recipient address rejected: User unknown in virtual mailbox table',
  },
  {
    category: 'bad-address',
    code: /^55[0-4]$/,
    text: /(?:unknown|invalid|no such|non-?existent|bad) (?:local )?(?:user|recipient|mailbox|address|account|person)|no mailbox (?:here )?by that name|@>? is no longer valid|not in my validrcptto/i,
    example: '553 No such user here',
  },
  {
    category: 'bad-address',
    code: /^550$/,
    enhanced: /^5\.5\.0$/,
    text: /mailbox unavailable|archived recipient/i,
    example: '550 5.5.0 Mailbox unavailable (S2017062302)',
  },
  {
    // The recipient's domain: names of clients and senders have been told apart above.
    category: 'bad-address',
    code: /^55\d$/,
    text: /host or domain name not found|\bhost unknown \((?:name server|authoritative)|no mx record found for domain|indicated no smtp service|no such domain\b|^@ domain does not exist|dns lookup failure: host/i,
    example: '550 5.4.4 Host or domain name not found',
  },
  {
    category: 'bad-address',
    enhanced: /^5\.4\.4$/,
    text: /invalid domain/i,
    example: '550 5.4.4 Invalid domain',
  },
  { category: 'protocol', text: /protocol violation/i, example: '550 Protocol violation' },
  { category: 'rate', enhanced: /^4\.7\.(?:28|5\d\d|650|651|8\d\d)$/, example: '421 4.7.28 Later' },
  anyClosing,
  { category: 'content', enhanced: /^[45]\.6\.\d+$/, example: '554 5.6.0 No' },
  { category: 'protocol', enhanced: /^[45]\.5\.[0-24-9]$/, example: '503 5.5.1 Wrong order' },
  { category: 'protocol', code: /^50\d$/, example: '502 What' },
  { category: 'policy', enhanced: /^[45]\.7\.\d+$/, example: '550 5.7.1 No' },
];
