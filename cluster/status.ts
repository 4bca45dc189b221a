/** What a refusal says of itself: the Status object that every answer of an API server carries. */
import type { Answer } from './connect.ts';
import { decodeStatus, protobufType } from './protobuf.ts';

/** `Forbidden: pods is forbidden …`, on one line; a proxy's page only counts by its status. */
export function reasonOf(answer: Answer): string {
  const { reason, message } = statusOf(answer);
  const text = [reason, message].filter(Boolean).join(': ');
  return text === '' ? 'without a reason' : text.replace(/\s+/g, ' ').slice(0, 300);
}

function statusOf({ headers, body }: Answer): { reason?: string; message?: string } {
  try {
    if (isProtobuf(headers['content-type'])) return decodeStatus(body);
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (typeof parsed !== 'object' || parsed === null) return {};
    const { reason, message } = parsed as Record<string, unknown>;
    return {
      ...(typeof reason === 'string' && { reason }),
      ...(typeof message === 'string' && { message }),
    };
  } catch {
    // Not an API server's own answer; the status code is all that counts then.
    return {};
  }
}

export function isProtobuf(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && contentType.startsWith(protobufType);
}
