/**
 * The few DER encodings that an X.509 certificate consists of (ITU-T X.690): Node signs, but makes no
 * certificates, and a library of dozens of files for one screen of encodings is not worth its upkeep.
 */

export function sequence(...parts: readonly Buffer[]): Buffer {
  return encode(0x30, Buffer.concat(parts));
}

export function set(...parts: readonly Buffer[]): Buffer {
  return encode(0x31, Buffer.concat(parts));
}

/**
 * `bytes`, without leading zeros, as an unsigned number: one zero in front keeps a set top bit from
 * meaning "negative", any other would be refused as not the shortest form.
 */
export function integer(bytes: Buffer): Buffer {
  return encode(0x02, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]));
}

export function boolean(value: boolean): Buffer {
  return encode(0x01, Buffer.of(value ? 0xff : 0));
}

export function octets(content: Buffer): Buffer {
  return encode(0x04, content);
}

/** Whole octets, or a bit list given as its first octet and the number of bits that do not count. */
export function bits(content: Buffer, unused = 0): Buffer {
  return encode(0x03, Buffer.concat([Buffer.of(unused), content]));
}

export function text(value: string): Buffer {
  return encode(0x0c, Buffer.from(value, 'utf8'));
}

/** UTCTime, which RFC 5280 demands up to the year 2049. */
export function time(value: Date): Buffer {
  return encode(0x17, Buffer.from(`${value.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
}

/** An object identifier such as 2.5.4.3: the first two numbers share an octet, the others are in base 128. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
  return encode(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

/** A context-specific tag around whole values (explicit), or in place of a primitive value's own tag. */
export function explicit(tag: number, content: Buffer): Buffer {
  return encode(0xa0 | tag, content);
}

export function implicit(tag: number, content: Buffer): Buffer {
  return encode(0x80 | tag, content);
}

function encode(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag), length(content.length), content]);
}

function length(value: number): Buffer {
  if (value < 0x80) return Buffer.of(value);
  if (value < 0x100) return Buffer.of(0x81, value);
  return Buffer.of(0x82, value >> 8, value & 0xff);
}

function base128(value: number): readonly number[] {
  const digits = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
