import { expect } from 'chai';
import { dateOf, timeOf } from '../../../../cli/config/dates.ts';
import { levelOf, relative, roleOf } from '../../../../cli/config/values.ts';
import { LEVEL_NAMES } from '../../../../core/model/access/level.ts';
import { ROLE_NAMES } from '../../../../core/model/access/role.ts';

/** A Sunday at noon, where the tests run. */
const NOW = new Date(2026, 2, 1, 12).getTime();

describe('A date on the command line', () => {
  for (const [text, day] of [
    ['2026-05-04', '2026-05-04'],
    ['today', '2026-03-01'],
    ['Tomorrow', '2026-03-02'],
    ['yesterday', '2026-02-28'],
    ['+3d', '2026-03-04'],
    ['-2w', '2026-02-15'],
    ['fri', '2026-03-06'],
    ['Monday', '2026-03-02'],
    ['sun', '2026-03-08'],
  ] as const) {
    it(`${text} is ${day}`, () => {
      expect(dateOf(text, '--end', NOW)).to.equal(day);
    });
  }

  it('is refused for anything else, by the name of the option', () => {
    for (const text of ['', 'soon', '3d', '+3', 'fr', '2026-3-1', 'constructor', '1h']) {
      expect(() => dateOf(text, '--end', NOW), text).to.throw(/^--end takes a date/);
    }
  });
});

describe('A time on the command line', () => {
  const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();
  it('is a distance in the direction of the option, or of its sign', () => {
    expect(timeOf('1h', '--updated-since', 'ago', NOW)).to.equal(at(-1));
    expect(timeOf('2d', '--expires', 'ahead', NOW)).to.equal(at(48));
    expect(timeOf('30min', '--expires', 'ahead', NOW)).to.equal(at(0.5));
    expect(timeOf('-1w', '--expires', 'ahead', NOW)).to.equal(at(-168));
    expect(timeOf('+1h', '--updated-since', 'ago', NOW)).to.equal(at(1));
  });

  it('is a time, or the beginning of a day', () => {
    expect(timeOf('2026-03-31T12:00:00Z', '--expires', 'ahead', NOW)).to.equal('2026-03-31T12:00:00.000Z');
    expect(timeOf('2028-02-29T12:00:00+02:00', '--expires', 'ahead', NOW)).to.equal('2028-02-29T10:00:00.000Z');
    expect(timeOf('2026-03-31 12:00:00 +0200', '--expires', 'ahead', NOW)).to.equal('2026-03-31T10:00:00.000Z');
    const midnight = new Date(2026, 2, 1).toISOString();
    for (const text of ['today', '2026-03-01']) expect(timeOf(text, '--updated-since', 'ago', NOW)).to.equal(midnight);
  });

  it('is refused for anything else', () => {
    const never = ['2026-02-29', '2026-06-31', '2026-02-30T12:00:00Z', '2026-1-5'];
    const more = ['2026-03-31junk', '2026-03-31 (x)', '2026-03-31 EST', '2026-03-31T12:00:00Z (x)'];
    for (const text of ['', 'soon', '1y', '7', '12:00', ...never, ...more]) {
      expect(() => timeOf(text, '--expires', 'ahead', NOW), text).to.throw(/^--expires takes a time/);
    }
  });
});

describe('A day of a time', () => {
  const before = process.env['TZ'];
  afterEach(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati', 'Africa/Cairo']) {
    it(`is printed as it is typed in ${zone}`, () => {
      process.env['TZ'] = zone;
      // The last one begins at 01:00 in Cairo.
      for (const day of ['2028-02-29', '2027-01-01', '2027-12-31', '2027-04-30']) {
        expect(relative(timeOf(day, '--expires', 'ahead', NOW), NOW)).to.equal(day);
      }
    });
  }
});

describe('Levels and roles', () => {
  it('are typed as they are printed, whatever the case', () => {
    for (const [level, name] of Object.entries(LEVEL_NAMES)) {
      for (const text of [name, name.toLowerCase(), level]) expect(levelOf(text), text).to.equal(Number(level));
    }
    for (const [role, name] of Object.entries(ROLE_NAMES)) {
      for (const text of [name, name.toUpperCase(), role]) expect(roleOf(text), text).to.equal(Number(role));
    }
    expect(() => levelOf('constructor')).to.throw();
  });
});
