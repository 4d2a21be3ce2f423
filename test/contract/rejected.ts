import assert from 'node:assert/strict';
import type { ErrorCode } from '../../core/kernel/errors.ts';

/** Codes are the contract; messages are not. */
export async function rejected(code: ErrorCode, call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error: { code?: unknown }) => {
    assert.equal(error.code, code);
    return true;
  });
}
