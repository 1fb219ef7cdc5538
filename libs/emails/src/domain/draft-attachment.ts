import { InvalidAttachmentError } from './email-errors.js';

/** An attachment of a send request, with its bytes. */
export interface DraftAttachment {
  readonly filename?: string;
  readonly contentType: string;
  readonly contentId?: string;
  readonly content: Uint8Array;
}

/** An attachment that is given by URL. */
export interface LinkedAttachment {
  readonly filename?: string;
  /** Default: the content type that the server sends. */
  readonly contentType?: string;
  readonly contentId?: string;
  readonly path: string;
}

export type RequestedAttachment = DraftAttachment | LinkedAttachment;

export const maxPathLength = 4_000;
export const maxFileNameLength = 255;
export const maxContentIdLength = 127;
const maxContentTypeLength = 255;

/** File types that mail servers and clients refuse because they run when opened (docs/wire-contract.md section 6). */
const refusedExtensions = new Set(
  (
    'adp app asp bas bat cer chm cmd com cpl crt csh der exe fxp gadget hlp hta inf ins isp its js jse ksh lib lnk mad ' +
    'maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msh1 msh2 mshxml msh1xml msh2xml msi msp ' +
    'mst ops pcd pif plg prf prg reg scf scr sct shb shs sys ps1 ps1xml ps2 ps2xml psc1 psc2 tmp url vb vbe vbs vps ' +
    'vsmacros vss vst vsw vxd ws wsc wsf wsh xnk'
  ).split(' '),
);

export function checkAttachments(attachments: readonly RequestedAttachment[]): readonly RequestedAttachment[] {
  for (const attachment of attachments) {
    const { filename, contentId, contentType } = attachment;
    if (filename !== undefined) checkFileName(filename);
    if (contentId !== undefined && !/^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(contentId)) {
      throw new InvalidAttachmentError('The `content_id` of an attachment must be printable ASCII without spaces.');
    }
    if (contentId !== undefined && contentId.length > maxContentIdLength) {
      throw new InvalidAttachmentError('The `content_id` of an attachment must be shorter than 128 characters.');
    }
    if (contentType !== undefined && !isContentType(contentType)) {
      throw new InvalidAttachmentError('The `content_type` of an attachment must look like `application/pdf`.');
    }
    if ('path' in attachment) checkPath(attachment.path);
  }
  return attachments;
}

const typeName = '[A-Za-z0-9!#$&^_.+-]{1,127}';
const token = "[A-Za-z0-9!#$%&'*+.^_`{|}~-]{1,200}";
const parameter = `[ \\t]{0,9};[ \\t]{0,9}${token}=(?:${token}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]{0,200}")`;
const contentTypeForm = new RegExp(`^${typeName}/${typeName}(?:${parameter}){0,10}[ \\t]{0,9};?$`);

/** `type/subtype` and parameters (RFC 2045 section 5.1, RFC 6838 section 4.2), on one line. */
export function isContentType(text: string): boolean {
  return text.length <= maxContentTypeLength && contentTypeForm.test(text);
}

function checkPath(path: string): void {
  if (!/^https?:\/\/[^/]/i.test(path) || path.length > maxPathLength) {
    throw new InvalidAttachmentError('The `path` of an attachment must be an http or https URL.');
  }
}

function checkFileName(filename: string): void {
  if (/[\u0000-\u001f\u007f]/.test(filename) || !filename.isWellFormed() || filename.length > maxFileNameLength) {
    throw new InvalidAttachmentError('The `filename` of an attachment is not usable.');
  }
  const extension = /\.([^.]+)$/.exec(filename.trim())?.[1]?.toLowerCase();
  if (extension !== undefined && refusedExtensions.has(extension)) {
    throw new InvalidAttachmentError(`Attachments of type \`.${extension}\` are not allowed.`);
  }
}

/**
 * Size of the attachments in the message: their descriptions, and their content in base64. Linked attachments count
 * once they have been fetched.
 */
export function encodedSize(attachments: readonly RequestedAttachment[]): number {
  return attachments.reduce((sum, attachment) => {
    const { filename = '', contentId = '', contentType = '' } = attachment;
    const content = 'content' in attachment ? Math.ceil(attachment.content.length / 3) * 4 : 0;
    return sum + filename.length + contentId.length + contentType.length + content;
  }, 0);
}
