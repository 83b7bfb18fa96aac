"""Messages on a pipe, whole or not at all."""

import os
import threading

import pytest

from mneme_indexer.build.wire import Closed, receive, send


@pytest.fixture
def pipe():
    ends = os.pipe()
    open_ends = list(ends)
    yield ends[0], ends[1], open_ends
    for end in open_ends:
        os.close(end)


@pytest.mark.parametrize("message", [b"", b"x", b"long" * 1_000_000])
def test_a_message_arrives_whole(pipe, message):
    read, write, _ = pipe
    sender = threading.Thread(target=send, args=(write, message))
    sender.start()
    assert receive(read, 20) == message
    sender.join()


def test_messages_stay_apart(pipe):
    read, write, _ = pipe
    send(write, b"one")
    send(write, b"two")
    assert [receive(read), receive(read)] == [b"one", b"two"]


@pytest.mark.parametrize("sent", [b"", b"\0\0", b"\0\0\0\x05abc"])
def test_an_end_in_the_middle_of_a_message_is_told(pipe, sent):
    read, write, open_ends = pipe
    os.write(write, sent)
    os.close(write)
    open_ends.remove(write)
    with pytest.raises(Closed):
        receive(read, 5)


def test_a_message_that_does_not_come_in_time_is_given_up(pipe):
    read, write, _ = pipe
    os.write(write, b"\0\0\0\x05ab")
    with pytest.raises(Closed):
        receive(read, 0.1)


def test_a_length_that_nobody_sends_is_refused(pipe):
    read, write, _ = pipe
    os.write(write, b"\xff\xff\xff\xff")
    with pytest.raises(Closed):
        receive(read, 5)


def test_writing_to_nobody_is_told(pipe):
    read, write, open_ends = pipe
    os.close(read)
    open_ends.remove(read)
    with pytest.raises(Closed):
        send(write, b"x" * 100)
