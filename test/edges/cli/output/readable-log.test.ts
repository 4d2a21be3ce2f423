import { expect } from 'chai';
import { readableLog } from '../../../../cli/service/readable-log.ts';
import { plain } from '../../../../cli/output/table/style.ts';

const time = new Date(2026, 2, 1, 12, 3, 4).getTime();
const read = (line: object) => String(readableLog(JSON.stringify({ level: 30, time, ...line }), plain));

describe('The log on a terminal', () => {
  it('has a line for each request', () => {
    const request = { requestId: 'r1', method: 'GET', route: '/api/workspace', status: 200, ms: 3.214, msg: 'request' };
    expect(read(request)).to.equal('12:03:04 GET    200 /api/workspace 3.2 ms\n');
    expect(read({ ...request, status: 404, code: 'not-found', ms: 31.4, pid: 7 })).to.equal(
      '12:03:04 [7] GET    404 /api/workspace 31 ms not-found r1\n',
    );
    const failed = read({ ...request, status: 500, err: { stack: 'Error: oops\n    at here' } });
    expect(failed.split('\n')[1]).to.equal('    Error: oops');
  });

  it('tells what else happens with what belongs to it', () => {
    expect(read({ level: 50, msg: 'worker ended', worker: 7, reason: 'gone' })).to.equal(
      '12:03:04 worker ended worker=7 reason=gone\n',
    );
  });
});
