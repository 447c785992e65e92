"""A line of so many bits a second between a browser and a hub, which can be cut: a proxy in a process of its own, so that what it shapes is
not slowed by who measures.

    line.py PORT      prints its own port; each line of standard input is `rate BITS`, `cut`, or `count`
"""

import asyncio
import contextlib
import subprocess
import sys
import time

# What the line holds on the way, in seconds: the pause between two pieces is so long at most.
PIECE = 0.005


class Bucket:
    """Takes pieces as quickly as they go over the line, one after another, whoever sends them."""

    def __init__(self):
        self.rate, self.free = None, 0.0

    async def take(self, count):
        if self.rate is None:
            return
        now = time.monotonic()
        self.free = max(self.free, now) + count * 8 / self.rate
        if self.free > now + PIECE:
            await asyncio.sleep(self.free - now)


class Proxy:
    def __init__(self, port):
        self.port, self.up, self.down, self.writers, self.carried, self.cut_at = port, Bucket(), Bucket(), set(), 0, None

    async def serve(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            writer.close()
            return
        ends = {writer, far_writer}
        self.writers |= ends
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(self.carry(reader, far_writer, self.up), self.carry(far_reader, writer, self.down))
        self.writers -= ends
        for end in ends:
            end.close()

    async def carry(self, reader, writer, bucket):
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            size = 16_384 if bucket.rate is None else max(512, min(16_384, int(bucket.rate / 8 * PIECE)))
            while piece := await reader.read(size):
                await bucket.take(len(piece))
                writer.write(piece)
                await writer.drain()
                if bucket is self.up:
                    self.carried += len(piece)
                    if self.cut_at is not None and self.carried >= self.cut_at:
                        self.cut()
        with contextlib.suppress(OSError):
            if writer.can_write_eof():
                writer.write_eof()

    def cut(self):
        """Whatever is on the way is lost."""
        self.cut_at = None
        for writer in list(self.writers):
            writer.transport.abort()

    async def obey(self):
        loop = asyncio.get_running_loop()
        lines = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        while line := (await lines.readline()).decode().split():
            if line[0] == "rate":
                self.up.rate = self.down.rate = int(line[1]) or None
            elif line[0] == "cut":
                self.cut()
            elif line[0] == "cut-after":
                self.carried, self.cut_at = 0, int(line[1])
            print(self.carried, int(self.cut_at is None), flush=True)


async def main(port):
    proxy = Proxy(port)
    # Little is kept by the system before the line, or it would seem quicker than it is.
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, limit=16_384)
    print(server.sockets[0].getsockname()[1], flush=True)
    await proxy.obey()


class Line:
    """The line as a check has it: the hub is reached by its `port`."""

    def __init__(self, port):
        self.process = subprocess.Popen([sys.executable, __file__, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def tell(self, *words):
        """Gives how many bytes went up, and whether the line is whole."""
        print(*words, file=self.process.stdin, flush=True)
        carried, is_whole = self.process.stdout.readline().split()
        return int(carried), is_whole == "1"

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
